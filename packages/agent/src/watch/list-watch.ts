import { ApiError, FORBIDDEN, GONE, NOT_FOUND, refusal } from './api-client.ts'
import { lines } from './lines.ts'
import { listAll, type KubeObject, type ListOptions } from './list-all.ts'

export type ListWatchOptions<Projected> = Omit<ListOptions<Projected>, 'path'> & {
  /** Such as /api/v1/pods. Asked for before everything is listed: which version is served may change. */
  path: () => Promise<string>
  /** Everything there is. What is not in it has ended. */
  onList: (items: Projected[]) => void
  onChange: (change: Change<Projected>) => void
  /** How it goes: told with every change of it, and whenever something was heard. */
  onState: (state: WatchState) => void
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
  /** Between 0 and 1. */
  random: () => number
  /** After so long without a word, also without a bookmark, a watch is taken to be dead. Default 6 minutes. */
  silenceSecondsMax?: number
}

/** What is no longer of interest has ended as well. */
export type Change<Projected> = { kind: 'set'; object: Projected } | { kind: 'end'; uid: string }

export type WatchState =
  | { kind: 'synced' }
  /** The cluster has no such kind, or we may not see it: that is said, and tried again from time to time. */
  | { kind: 'absent' | 'forbidden'; detail: string }
  | { kind: 'failing'; detail: string }

const watchSeconds = { least: 240, more: 120 }
const waitSeconds = { first: 1, max: 60, refused: 5, forbiddenMax: 60, absentMax: 300 }

/** As servers ask for it, within reason. */
const retryAfterSeconds = { min: 1, max: 300 }
/** A watch that says nothing lasts longer, or something is wrong. */
const emptySecondsMin = 1

/**
 * Knows what there is of one kind, for as long as it is not stopped: lists, watches on from there, lists anew when the server no
 * longer remembers where we were, and begins again after every mishap.
 */
export async function listAndWatch<Projected>(options: ListWatchOptions<Projected>): Promise<void> {
  const { signal } = options
  const place: Place = { path: '', resourceVersion: undefined }
  let failures = 0
  let isListedTwice = false
  let isForbidden = false
  while (!signal.aborted) {
    try {
      if (place.resourceVersion === undefined) {
        place.path = await options.path()
        const listed = await listAll({ ...options, path: place.path })
        options.onList(listed.items)
        // The right to list may be back without the right to watch: then only the watch tells.
        if (!isForbidden) options.onState({ kind: 'synced' })
        place.resourceVersion = listed.resourceVersion
      }
      await watchFrom(options, place, () => (failures = 0))
      failures = 0
      isListedTwice = false
    } catch (error) {
      if (signal.aborted) return
      const isGone = isAnswer(error, GONE)
      isForbidden = isAnswer(error, FORBIDDEN)
      // After a missing right is granted again, everything is listed: the watch may no longer know what changed meanwhile.
      if (isGone || isForbidden) place.resourceVersion = undefined
      // The first time at once, but a server that forgets all the time is not to be listed all the time.
      if (isGone && !isListedTwice) isListedTwice = true
      else {
        failures += 1
        options.onState(stateOf(error))
        await options.sleep(waitOf(error, failures, options.random()), signal)
      }
    }
  }
}

/** Up to where everything is known; undefined: it has to be listed. */
type Place = { path: string; resourceVersion: string | undefined }

/** One watch, to its regular end. Whoever cuts it after something was heard has not failed at the start. */
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
    // Not all at the same moment.
    timeoutSeconds: String(Math.round(watchSeconds.least + random() * watchSeconds.more)),
  }
  try {
    const answer = await client.get(place.path, query, AbortSignal.any([signal, silence.signal]), accept?.watch)
    if (answer.status !== 200) throw await refusal(answer)
    // A quiet kind may have nothing to say for long.
    options.onState({ kind: 'synced' })
    for await (const line of lines(answer.body)) {
      silence.heard()
      options.onState({ kind: 'synced' })
      place.resourceVersion = takeEvent(options, line) ?? place.resourceVersion
      isEmpty = false
      onHeard()
    }
    // To begin again at once would be to ask without end.
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

/** Answers with the version that the watch has come to. */
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

/** Half a line at the end is a cut connection: what it was about to say is said again by the next watch. */
function parseEvent(line: string): WatchEvent {
  try {
    return JSON.parse(line) as WatchEvent
  } catch {
    throw new Error('the watch ended in the middle of an event')
  }
}

const isAnswer = (error: unknown, status: number) => error instanceof ApiError && error.status === status

function stateOf(error: unknown): WatchState {
  const detail = error instanceof Error ? error.message : 'unknown reason'
  if (isAnswer(error, NOT_FOUND)) return { kind: 'absent', detail }
  if (isAnswer(error, FORBIDDEN)) return { kind: 'forbidden', detail }
  return { kind: 'failing', detail }
}

/** As the server asks, or longer each time, with full jitter. */
function waitOf(error: unknown, failures: number, random: number): number {
  if (error instanceof ApiError && error.retryAfter !== undefined) {
    return Math.min(retryAfterSeconds.max, Math.max(retryAfterSeconds.min, error.retryAfter))
  }
  // A server that has just begun may refuse what it will allow; what is really absent is asked for more and more rarely.
  const refused = waitSeconds.refused * 2 ** (failures - 1)
  if (isAnswer(error, NOT_FOUND)) return Math.min(waitSeconds.absentMax, refused)
  if (isAnswer(error, FORBIDDEN)) return Math.min(waitSeconds.forbiddenMax, refused)
  return random * Math.min(waitSeconds.max, waitSeconds.first * 2 ** failures)
}

/** Aborts when nothing was heard for a while. */
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

  heard(): void {
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
