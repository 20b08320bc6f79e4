import { ApiError, FORBIDDEN, NOT_FOUND, refusal } from './api-client.ts'
import { lines } from './lines.ts'
import { listAll, type KubeObject, type ListOptions } from './list-all.ts'
import { isAnswer, relistAfter } from './relist-after-410.ts'

export type ListWatchOptions<Projected> = Omit<ListOptions<Projected>, 'path'> & {
  /** Such as /api/v1/pods. Called before each list, because the served version may change. */
  path: () => Promise<string>
  /** The complete list. Objects that are missing in it have ended. */
  onList: (items: Projected[]) => void
  onChange: (change: Change<Projected>) => void
  /** Called on every change of the state and on every event. */
  onState: (state: WatchState) => void
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Between 0 and 1. */
  random: () => number
  /** A watch without events and bookmarks for this long is considered dead. Default 6 minutes. */
  silenceSecondsMax?: number
}

/** An object that is no longer needed ends too. */
export type Change<Projected> = { kind: 'set'; object: Projected } | { kind: 'end'; uid: string }

export type WatchState =
  | { kind: 'synced' }
  /** The cluster does not have the kind, or the permission is missing. It is reported and retried. */
  | { kind: 'absent' | 'forbidden'; detail: string }
  | { kind: 'failing'; detail: string }

const watchSeconds = { least: 240, more: 120 }
const waitSeconds = { first: 1, max: 60, refused: 5, forbiddenMax: 60, absentMax: 300 }

/** The limits for the wait of the server. */
const retryAfterSeconds = { min: 1, max: 300 }
/** A watch without events that ends sooner is an error. */
const emptySecondsMin = 1

/**
 * Tracks the objects of one kind until it is stopped. It lists, watches from there, lists again after 410, and retries
 * after every error.
 */
export async function listAndWatch<Projected>(options: ListWatchOptions<Projected>): Promise<void> {
  const { signal } = options
  const place: Place = { path: '', resourceVersion: undefined }
  let failures = 0
  let isRelisted = false
  let isForbidden = false
  while (!signal.aborted) {
    try {
      if (place.resourceVersion === undefined) {
        place.path = await options.path()
        const listed = await listAll({ ...options, path: place.path })
        options.onList(listed.items)
        // The permission to list may be back without the permission to watch, so only the watch decides.
        if (!isForbidden) options.onState({ kind: 'synced' })
        place.resourceVersion = listed.resourceVersion
      }
      await watchFrom(options, place, () => (failures = 0))
      failures = 0
      isRelisted = false
    } catch (error) {
      if (signal.aborted) return
      const { needsList, startsAtOnce } = relistAfter(error, { isRelisted })
      isForbidden = isAnswer(error, FORBIDDEN)
      if (needsList) place.resourceVersion = undefined
      if (startsAtOnce) isRelisted = true
      else {
        failures += 1
        options.onState(stateOf(error))
        await options.sleep(waitOf(error, failures, options.random()), signal)
      }
    }
  }
}

/** The last known resource version; undefined: a list is needed. */
type Place = { path: string; resourceVersion: string | undefined }

/** One watch until its regular end. A connection that closes after events is not a failed start. */
async function watchFrom<Projected>(
  options: ListWatchOptions<Projected>,
  place: Place,
  onHeard: () => void,
): Promise<void> {
  const { client, accept, signal, random, silenceSecondsMax = 360 } = options
  const silence = new Watchdog(silenceSecondsMax)
  const beginning = new Watchdog(emptySecondsMin)
  let isEmpty = true
  const query = {
    ...options.selection,
    watch: '1',
    allowWatchBookmarks: 'true',
    resourceVersion: place.resourceVersion ?? '',
    // Random, so that watches do not all end at the same time.
    timeoutSeconds: String(Math.round(watchSeconds.least + random() * watchSeconds.more)),
  }
  try {
    const answer = await client.get(place.path, query, AbortSignal.any([signal, silence.signal]), accept?.watch)
    if (answer.status !== 200) throw await refusal(answer)
    // A quiet kind may have no events for a long time.
    options.onState({ kind: 'synced' })
    for await (const line of lines(answer.body)) {
      silence.restart()
      options.onState({ kind: 'synced' })
      place.resourceVersion = takeEvent(options, line) ?? place.resourceVersion
      isEmpty = false
      onHeard()
    }
    // An immediate restart would cause an endless loop.
    if (isEmpty && !beginning.signal.aborted) throw new Error('the watch ended immediately')
  } catch (error) {
    if (silence.signal.aborted && !signal.aborted) throw new Error(`no event for ${silenceSecondsMax} s`)
    throw error
  } finally {
    silence.stop()
    beginning.stop()
  }
}

type WatchEvent = { type?: string; object?: KubeObject & { code?: number; message?: string } }

/** Returns the resource version of the event. */
function takeEvent<Projected>({ project, onChange }: ListWatchOptions<Projected>, line: string): string | undefined {
  const { type, object = {} } = parseEvent(line)
  if (type === 'ERROR') throw new ApiError(object.code ?? 500, object.message ?? 'the watch returned an error')
  if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
    const projected = type === 'DELETED' ? undefined : project(object)
    if (projected !== undefined) onChange({ kind: 'set', object: projected })
    else onChange({ kind: 'end', uid: object.metadata?.uid ?? '' })
  }
  return object.metadata?.resourceVersion
}

/** A partial last line means a closed connection; the next watch repeats the event. */
function parseEvent(line: string): WatchEvent {
  try {
    return JSON.parse(line) as WatchEvent
  } catch {
    throw new Error('the watch ended in the middle of an event')
  }
}

function stateOf(error: unknown): WatchState {
  const detail = error instanceof Error ? error.message : 'unknown reason'
  if (isAnswer(error, NOT_FOUND)) return { kind: 'absent', detail }
  if (isAnswer(error, FORBIDDEN)) return { kind: 'forbidden', detail }
  return { kind: 'failing', detail }
}

/** The wait of the server, or exponential backoff with full jitter. */
function waitOf(error: unknown, failures: number, random: number): number {
  if (error instanceof ApiError && error.retryAfter !== undefined) {
    return Math.min(retryAfterSeconds.max, Math.max(retryAfterSeconds.min, error.retryAfter))
  }
  // A starting server may reject allowed requests; permanent rejections are retried less and less often.
  const refused = waitSeconds.refused * 2 ** (failures - 1)
  if (isAnswer(error, NOT_FOUND)) return Math.min(waitSeconds.absentMax, refused)
  if (isAnswer(error, FORBIDDEN)) return Math.min(waitSeconds.forbiddenMax, refused)
  return random * Math.min(waitSeconds.max, waitSeconds.first * 2 ** failures)
}

/** Aborts after a time without events. */
class Watchdog {
  readonly #controller = new AbortController()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout

  constructor(seconds: number) {
    this.#milliseconds = seconds * 1000
    this.#timer = this.#start()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  restart(): void {
    clearTimeout(this.#timer)
    this.#timer = this.#start()
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #start(): NodeJS.Timeout {
    return setTimeout(() => this.#controller.abort(), this.#milliseconds)
  }
}
