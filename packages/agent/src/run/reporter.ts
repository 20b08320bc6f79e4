import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { unreadableKinds, type AgentFacts, type Batch } from '@plimsoll/contract'
import type { MinuteFacts } from '../facts.ts'
import { kinds } from '../kinds/kind-list.ts'
import type { Observer } from '../observer.ts'
import type { Outbox } from '../send/outbox.ts'
import { deltaOf, EpochWriter } from '../shape/epoch-writer.ts'
import { joinDeltas } from '../shape/records.ts'
import type { ServerClock } from './server-clock.ts'

export type ReporterDeps = {
  readonly observer: Pick<Observer, 'living' | 'takeMinute'>
  readonly outbox: Pick<Outbox, 'append' | 'beginEpoch' | 'pending'>
  readonly clock: ServerClock
  readonly clusterUid: string
  readonly agent: () => AgentFacts
  readonly newEpochId: () => string
  readonly isConnected: () => boolean
  readonly onAppended: () => void
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void
}

const minuteSeconds = 60
/** Samples of a minute may arrive slightly later. */
const graceSeconds = 1
const fullSeconds = 3600
/** Refs of objects are stored for the length of an epoch. */
const epochSeconds = 24 * 3600
/** A new epoch begins if unsent live data is older than this, so that new data is sent first. */
const lagSeconds = 300
const intervalSecondsMax = 300
/** The maximum number of minutes in memory while the disk fails. */
const unwrittenMax = 60

const compress = promisify(gzip)

/**
 * Writes observations to the log: a full snapshot at the start of each epoch, every hour and on request. In between it
 * writes changes and usage per minute of the server clock.
 */
export class Reporter {
  readonly #deps: ReporterDeps
  #writer: EpochWriter
  #epoch = ''
  #seq = 0
  #epochAt = 0
  /** Whether the first snapshot is written. Without it, minutes would refer to unknown objects. */
  #hasBegun = false
  #fullAt = 0
  /** The current, incomplete minute. */
  #minute = 0
  #intervalSeconds = minuteSeconds
  #isSnapshotWanted = false
  /** Unreadable kinds at the time of the last snapshot. */
  #unreadable: ReadonlySet<string> = new Set()
  #unwritten: MinuteFacts[] = []
  #isFailing = false

  constructor(deps: ReporterDeps) {
    this.#deps = deps
    this.#writer = this.#openWriter()
  }

  /** The last write failed. */
  get isFailing(): boolean {
    return this.#isFailing
  }

  async start(): Promise<void> {
    const now = Math.floor(this.#deps.clock.now())
    this.#minute = minuteOf(now)
    await this.#guard(() => this.#beginEpoch(now))
  }

  /** Requests a full snapshot with the next minute, unless one is pending. */
  requestSnapshot(): void {
    if (this.#deps.outbox.pending().hasLiveSnapshot || this.#deps.clock.now() - this.#fullAt < minuteSeconds) return
    this.#isSnapshotWanted = true
  }

  setInterval(seconds: number): void {
    this.#intervalSeconds = Math.min(intervalSecondsMax, Math.max(minuteSeconds, seconds))
  }

  /** Does the due work and returns the seconds until the next call. */
  async tick(): Promise<number> {
    const { clock } = this.#deps
    const hasJumped = clock.hasJumped()
    const ended = minuteOf(clock.now() - graceSeconds)
    if (!hasJumped && ended <= this.#minute) return this.#secondsLeft()
    // Several minutes if the process was delayed. The usage of longer pauses is unknown.
    const first = Math.max(this.#minute, ended - unwrittenMax)
    const last = Math.max(first, ended - 1)
    for (let minute = first; minute <= last; minute += 1) this.#take(minute)
    this.#minute = last + 1
    await this.#write(hasJumped)
    return this.#secondsLeft()
  }

  /** Writes the open minute so far, because the agent stops before its end. */
  async flush(): Promise<void> {
    const now = Math.floor(this.#deps.clock.now())
    // The previous minute may have just ended.
    const last = Math.max(this.#minute, minuteOf(now))
    for (let minute = Math.max(this.#minute, last - unwrittenMax); minute <= last; minute += 1) this.#take(minute)
    this.#minute = last + 1
    await this.#guard(async () => {
      if (!this.#hasBegun) await this.#beginEpoch(now)
      await this.#writeMinutes(now)
    })
  }

  #take(minute: number): void {
    this.#unwritten.push(this.#deps.observer.takeMinute(minute))
    if (this.#unwritten.length <= unwrittenMax) return
    this.#unwritten.shift()
    // Its changes are lost, so a new epoch with a full snapshot begins.
    this.#epochAt = Number.NEGATIVE_INFINITY
  }

  async #write(hasJumped: boolean): Promise<void> {
    const at = this.#minute * minuteSeconds
    const isNewEpoch = hasJumped || this.#isLagging(at) || at - this.#epochAt >= epochSeconds
    const isWanted = this.#isSnapshotWanted || this.#isReadableAgain()
    const isFull = isNewEpoch || isWanted || at - this.#fullAt >= fullSeconds
    const isDue = isFull || this.#unwritten.length * minuteSeconds >= this.#intervalSeconds
    await this.#guard(async () => {
      const hasBegun = this.#hasBegun
      if (!hasBegun) await this.#beginEpoch(at)
      if (isDue) await this.#writeMinutes(at)
      if (hasJumped) {
        this.#deps.clock.adopt()
        await this.start()
      } else if (isNewEpoch && hasBegun) await this.#beginEpoch(at)
      else if (isFull && hasBegun) await this.#writeSnapshot(at)
    })
  }

  /**
   * A kind that is readable again needs a snapshot at once. Otherwise the server would not learn which objects ended.
   */
  #isReadableAgain(): boolean {
    const now = unreadableObjects(this.#deps.agent())
    return [...this.#unreadable].some((kind) => !now.has(kind))
  }

  /** An epoch is sent in order, so new data must wait. In a new epoch it goes first. */
  #isLagging(at: number): boolean {
    const { liveSince } = this.#deps.outbox.pending()
    return this.#deps.isConnected() && liveSince !== undefined && at - liveSince >= lagSeconds
  }

  /** A disk failure does not stop observing: observations stay in memory for a while. */
  async #guard(write: () => Promise<void>): Promise<void> {
    try {
      await write()
      this.#isFailing = false
    } catch (error) {
      this.#isFailing = true
      const detail = error instanceof Error ? error.message : String(error)
      this.#deps.log('error', 'cannot write to the disk buffer', { detail })
    }
    this.#deps.onAppended()
  }

  async #beginEpoch(at: number): Promise<void> {
    this.#epoch = this.#deps.newEpochId()
    this.#seq = 0
    this.#hasBegun = false
    this.#writer = this.#openWriter()
    this.#deps.outbox.beginEpoch(this.#epoch)
    await this.#writeSnapshot(at)
    this.#epochAt = at
    this.#hasBegun = true
    this.#deps.log('info', 'new epoch started (new disk buffer)', { epoch: this.#epoch })
  }

  async #writeSnapshot(at: number): Promise<void> {
    const unreadable = unreadableObjects(this.#deps.agent())
    for (const batch of this.#writer.snapshot(this.#deps.observer.living(at), at)) await this.#append(batch)
    this.#fullAt = at
    this.#isSnapshotWanted = false
    this.#unreadable = unreadable
  }

  async #writeMinutes(observedAt: number): Promise<void> {
    if (this.#unwritten.length === 0) return
    const delta = joinDeltas(this.#unwritten.map(deltaOf))
    for (const batch of this.#writer.delta(delta, observedAt)) await this.#append(batch)
    this.#unwritten = []
  }

  async #append(batch: Batch): Promise<void> {
    const { snapshot, observed_at: observedAt } = batch
    const body = await compress(JSON.stringify(batch))
    const head = { epoch: this.#epoch, seq: this.#seq + 1, clusterUid: this.#deps.clusterUid, observedAt }
    await this.#deps.outbox.append(snapshot ? { ...head, snapshot } : head, body)
    // Incremented after the write, because a number without a record would be a gap.
    this.#seq += 1
  }

  #openWriter(): EpochWriter {
    return new EpochWriter({ agent: this.#deps.agent, epoch: this.#epoch })
  }

  #secondsLeft(): number {
    return Math.max(0.01, (this.#minute + 1) * minuteSeconds + graceSeconds - this.#deps.clock.now())
  }
}

const objectConditions = new Set<string>(['api_server', ...kinds.map(({ name }) => name)])

/** Without the conditions of usage and disk. */
function unreadableObjects(agent: AgentFacts): ReadonlySet<string> {
  return new Set([...unreadableKinds(agent)].filter((kind) => objectConditions.has(kind)))
}

const minuteOf = (second: number) => Math.floor(second / minuteSeconds)
