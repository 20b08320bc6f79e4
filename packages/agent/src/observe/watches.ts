import { ApiHealth } from '../kubernetes/api-health.ts'
import { servedVersions } from '../kubernetes/discovery.ts'
import { kinds, pathOf, selectionOf, type Kind, type KindName } from '../kinds/kind-list.ts'
import type { Log } from '../log.ts'
import type { ApiClient } from '../watch/api-client.ts'
import { listAndWatch, type WatchState } from '../watch/list-watch.ts'
import type { Condition, Freshness } from '../observer.ts'
import type { Sink } from './sinks.ts'

export type WatchesOptions = {
  client: ApiClient
  sinks: Record<KindName, Sink>
  /** Milliseconds since 1970. */
  now: () => number
  log: Log
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
  random: () => number
  silenceSecondsMax?: number
}

type Watched = {
  kind: Kind
  state: WatchState | undefined
  /** Whether the kind was listed at least once. */
  isListed: boolean
  /** Consecutive failures. */
  failures: number
  lastEventAt: number
  /** When the permission was first missing, in milliseconds since 1970. */
  forbiddenSince: number | undefined
  isForbiddenLogged: boolean
  stop: AbortController
  done: Promise<void>
}

/** After this many tries, about half a minute, the start no longer waits for an optional kind. */
const triesMax = 5

/** Watches every kind separately, so that failures of one kind do not affect the others. */
export class Watches {
  readonly #options: WatchesOptions
  readonly #health: ApiHealth
  readonly #client: ApiClient
  readonly #watched = new Map<KindName, Watched>()
  readonly synced: Promise<void>
  #resolveSynced: () => void = () => undefined

  constructor(options: WatchesOptions) {
    this.#options = options
    this.#health = new ApiHealth(options)
    this.#client = this.#health.observe(options.client)
    this.synced = new Promise((resolve) => (this.#resolveSynced = resolve))
  }

  start(): void {
    for (const kind of kinds) if (kind.name !== 'endpointslices') this.#start(kind)
  }

  /** Lists a known kind again. */
  relist(name: KindName): void {
    if (this.#watched.has(name)) this.#restart(name)
  }

  #restart(name: KindName): void {
    const kind = kinds.find((each) => each.name === name)
    this.#watched.get(name)?.stop.abort()
    if (kind) this.#start(kind)
  }

  /** For a kind that was never listed, a missing object may still exist. */
  isReadable(name: KindName): boolean {
    const { state, isListed = false } = this.#watched.get(name) ?? {}
    return state?.kind === 'absent' || (isListed && state?.kind !== 'forbidden')
  }

  /** Whether the known state is up to date. */
  isCurrent(name: KindName): boolean {
    return this.#watched.get(name)?.state?.kind === 'synced'
  }

  /** During an outage of the API server every watch fails for the same reason, so it is one condition. */
  conditions(): Condition[] {
    const ofServer = this.#health.condition()
    const ofKinds = [...this.#watched.values()].flatMap(({ kind, state }) => conditionOf(kind, state) ?? [])
    return ofServer ? [ofServer, ...ofKinds.filter(({ status }) => status !== 'failing')] : ofKinds
  }

  /** Absent optional kinds are omitted; required kinds are always included. */
  freshness(): Freshness[] {
    return [...this.#watched.values()]
      .filter(({ kind, state }) => kind.isNeeded === true || (state?.kind !== 'absent' && state?.kind !== 'forbidden'))
      .map(({ kind, state, lastEventAt }) => ({ kind: kind.name, lastEventAt, synced: state?.kind === 'synced' }))
  }

  async stop(): Promise<void> {
    const all = [...this.#watched.values()]
    for (const { stop } of all) stop.abort()
    await Promise.all(all.map(({ done }) => done))
  }

  #start(kind: Kind): void {
    const stop = new AbortController()
    const before = this.#watched.get(kind.name)
    const watched: Watched = {
      kind,
      state: before?.state,
      isListed: before?.isListed ?? false,
      failures: 0,
      lastEventAt: before?.lastEventAt ?? 0,
      forbiddenSince: before?.forbiddenSince,
      isForbiddenLogged: before?.isForbiddenLogged ?? false,
      stop,
      done: Promise.resolve(),
    }
    watched.done = this.#follow(watched)
    this.#watched.set(kind.name, watched)
  }

  async #follow(watched: Watched): Promise<void> {
    const { sinks, now, sleep, random, silenceSecondsMax } = this.#options
    const { kind, stop } = watched
    const sink = sinks[kind.name]
    const second = () => Math.floor(now() / 1000)
    await listAndWatch({
      client: this.#client,
      path: () => this.#path(kind, stop.signal),
      project: (object) => sink.read(object),
      ...(kind.accept === undefined ? {} : { accept: kind.accept }),
      selection: selectionOf(kind),
      onList: (items) => {
        if (!stop.signal.aborted) takeList(sink, items, second())
      },
      onChange: (change) => {
        if (stop.signal.aborted) return
        if (change.kind === 'set') sink.set(change.object, second())
        else sink.end(change.uid, second())
      },
      onState: (state) => this.#note(watched, state),
      sleep,
      random,
      signal: stop.signal,
      ...(silenceSecondsMax === undefined ? {} : { silenceSecondsMax }),
    })
  }

  async #path(kind: Kind, signal: AbortSignal): Promise<string> {
    const [best] = kind.versions
    if (kind.versions.length === 1) return pathOf(kind, best)
    const served = await servedVersions(this.#client, kind.group, signal)
    return pathOf(kind, kind.versions.find((version) => served.includes(version)) ?? best)
  }

  #note(watched: Watched, state: WatchState): void {
    if (watched.stop.signal.aborted) return
    watched.state = state
    watched.failures = state.kind === 'failing' ? watched.failures + 1 : 0
    if (state.kind === 'synced') {
      watched.isListed = true
      watched.lastEventAt = this.#options.now()
    }
    this.#logRight(watched, state)
    // Only endpoints of Services with a load balancer are stored, so the Services come first.
    const isServices = watched.kind.name === 'services' && this.#isSettled(watched.kind)
    if (isServices && !this.#watched.has('endpointslices')) this.#restart('endpointslices')
    if (kinds.every((kind) => this.#isSettled(kind))) this.#resolveSynced()
  }

  /** A starting server rejects allowed requests for a moment, so only a second rejection is a missing permission. */
  #logRight(watched: Watched, { kind: state, ...more }: WatchState): void {
    const { now, log } = this.#options
    const { kind, forbiddenSince = now() } = watched
    if (state === 'forbidden') {
      const isSecond = watched.forbiddenSince !== undefined
      watched.forbiddenSince = forbiddenSince
      if (!isSecond || watched.isForbiddenLogged) return
      watched.isForbiddenLogged = true
      log('warn', `the agent is not allowed to list and watch ${kind.name} (403)`, { kind: kind.name, ...more })
    } else if (state === 'synced') {
      const seconds = Math.round((now() - forbiddenSince) / 1000)
      if (watched.isForbiddenLogged) {
        log('info', `the agent is allowed to list and watch ${kind.name} again`, { kind: kind.name, seconds })
      }
      watched.forbiddenSince = undefined
      watched.isForbiddenLogged = false
    }
  }

  /** Listed, or unreadable for now; required kinds must be listed. */
  #isSettled({ name, isNeeded = false }: Kind): boolean {
    const { state, failures = 0 } = this.#watched.get(name) ?? {}
    if (state?.kind === 'synced' || isNeeded) return state?.kind === 'synced'
    return state?.kind === 'absent' || state?.kind === 'forbidden' || failures >= triesMax
  }
}

/** Ends the objects that are missing in the list, because their deletion was missed. */
function takeList(sink: Sink, items: readonly { uid: string }[], second: number): void {
  const listed = new Set(items.map(({ uid }) => uid))
  for (const uid of [...sink.uids()]) if (!listed.has(uid)) sink.end(uid, second)
  for (const item of items) sink.set(item, second)
}

function conditionOf(
  { name, isOptional, lostWithoutRight }: Kind,
  state: WatchState | undefined,
): Condition | undefined {
  if (!state || state.kind === 'synced') return undefined
  switch (state.kind) {
    case 'absent':
      if (isOptional) return undefined
      return { kind: name, status: 'absent', reason: 'NotServed', message: `The cluster has no ${name}.` }
    case 'forbidden':
      if (lostWithoutRight !== undefined) {
        const message = `The agent is not allowed to list and watch ${name} (403). The permission is optional. ${lostWithoutRight} Upgrade the chart to grant the permission.`
        return { kind: name, status: 'absent', reason: 'OptionalRightMissing', message, detail: state.detail }
      }
      return {
        kind: name,
        status: 'forbidden',
        reason: 'Forbidden',
        message: `The agent is not allowed to list and watch ${name} (403). Grant the permission in the ClusterRole of the agent.`,
        detail: state.detail,
      }
    case 'failing':
      return {
        kind: name,
        status: 'failing',
        reason: 'Failing',
        message: `The agent cannot list and watch ${name}.`,
        detail: state.detail,
      }
  }
}
