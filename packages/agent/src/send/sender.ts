import { batchLimits, rateLimits, rateLimitWindowSeconds, type BatchAccepted } from '@plimsoll/contract'
import type { EncodedBatch } from '../shape/encode.ts'
import type { Outbox, Outgoing } from './outbox.ts'
import { jitterSeconds, postBatch, retryAfterSeconds, type Answer } from './post-batch.ts'
import { RequestBudget } from './request-budget.ts'

export type SenderDeps = {
  /** The server URL without a trailing slash. */
  readonly url: string
  /** Read for every request: a rotated token needs no restart. */
  readonly readToken: () => Promise<string>
  /** A dry run sends nothing, so it logs no accepted batches. */
  readonly isDry?: boolean
  /** Seconds of a monotonic clock. */
  readonly monotonic: () => number
  readonly random: () => number
  readonly fetch?: typeof fetch
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: object) => void
  readonly onAnswer?: (answer: BatchAccepted, sent: { isLive: boolean; isSnapshot: boolean }) => void
}

/** History, with the lowest priority; undefined if nothing is ready. */
export type Behind = {
  next(): Promise<{ encoded: EncodedBatch; done(): Promise<void>; tooLarge(): Promise<void> } | undefined>
}

/** Whether the server is reachable, and the reason if not. */
export type Connection =
  | { kind: 'unknown' }
  | { kind: 'connected' }
  | { kind: 'offline'; since: number; detail: string }
  | { kind: 'refused'; since: number; detail: string }
  | { kind: 'gone' }

export type SenderCounts = { requests: number; accepted: number; duplicates: number; conflicts: number; bytes: number }

/** Requests per minute that only live data may use. */
const keptForLive = 4
/** A wrong token or a wrong cluster needs action by a user. */
const refusedSecondsMax = 300
/** A batch may be corrupted in transit. After this many rejections it is given up. */
const malformedMax = 5
const requestSecondsMax = 60

type SendAnswer = Answer | { kind: 'no-token'; detail: string }

/** Sends the outbox: live data first, within the rate limit, with retries until acceptance. */
export class Sender {
  readonly counts: SenderCounts = { requests: 0, accepted: 0, duplicates: 0, conflicts: 0, bytes: 0 }
  readonly #deps: SenderDeps
  readonly #outbox: Outbox
  readonly #behind: Behind | undefined
  readonly #budget = new RequestBudget({ perWindow: rateLimits.agent, windowSeconds: rateLimitWindowSeconds })
  #connection: Connection = { kind: 'unknown' }
  #failures = 0
  /** The batch that was rejected as malformed, and its consecutive rejections. */
  #malformed = { batch: '', times: 0 }
  #notBefore = 0
  /** The size limit of the server, or a smaller limit learned from a proxy. */
  #bytesAllowed = batchLimits.encodedBytesMax
  #bytesLearned = Number.POSITIVE_INFINITY

  constructor(deps: SenderDeps, outbox: Outbox, behind?: Behind) {
    this.#deps = deps
    this.#outbox = outbox
    this.#behind = behind
  }

  get connection(): Connection {
    return this.#connection
  }

  /** Sends at most one request. Returns the seconds without work, unless a record is appended. */
  async step(signal?: AbortSignal): Promise<number> {
    if (this.#connection.kind === 'gone') return Number.POSITIVE_INFINITY
    const now = this.#deps.monotonic()
    if (now < this.#notBefore) return this.#notBefore - now
    const outgoing = await this.#outbox.next(Math.min(this.#bytesAllowed, this.#bytesLearned))
    if (outgoing) return this.#sendOne(outgoing, signal)
    return this.#sendBehind(signal)
  }

  async #sendOne(outgoing: Outgoing, signal?: AbortSignal): Promise<number> {
    const wait = this.#budget.waitSeconds(this.#deps.monotonic(), outgoing.isLive ? 0 : keptForLive)
    if (wait > 0) return wait
    const answer = await this.#post(outgoing.encoded, signal)
    switch (answer.kind) {
      case 'accepted':
        await this.#outbox.accepted(outgoing)
        return this.#recordAccepted(answer.answer, outgoing)
      case 'conflict':
        this.counts.conflicts += 1
        this.#deps.log('warn', 'the server already has another batch with this sequence number', idOf(outgoing.encoded))
        await this.#outbox.accepted(outgoing)
        return 0
      case 'too-large':
        return this.#tooLarge(outgoing)
      case 'refused':
        return this.#refused(answer, outgoing.encoded, () => this.#outbox.giveUp(outgoing))
      case 'no-token':
        return this.#waitForHelp(answer.detail)
      case 'gone':
      case 'again':
        return this.#failed(answer)
    }
  }

  async #tooLarge(outgoing: Outgoing): Promise<number> {
    const { length } = outgoing.encoded.body
    this.#deps.log('info', 'a batch is too large; splitting it', { ...idOf(outgoing.encoded), bytes: length })
    // Later batches are split before they are sent.
    this.#bytesLearned = Math.min(this.#bytesLearned, Math.max(1024, length - 1))
    if (!(await this.#outbox.cut(outgoing))) await this.#outbox.giveUp(outgoing)
    return 0
  }

  async #sendBehind(signal?: AbortSignal): Promise<number> {
    const wait = this.#budget.waitSeconds(this.#deps.monotonic(), keptForLive)
    if (wait > 0) return wait
    const next = await this.#behind?.next()
    if (!next) return Number.POSITIVE_INFINITY
    const answer = await this.#post(next.encoded, signal)
    switch (answer.kind) {
      case 'accepted':
        await next.done()
        return this.#recordAccepted(answer.answer, { isLive: false, isSnapshot: false })
      case 'conflict':
        await next.done()
        return 0
      case 'too-large':
        await next.tooLarge()
        return 0
      case 'refused':
        return this.#refused(answer, next.encoded, () => next.done())
      case 'no-token':
        return this.#waitForHelp(answer.detail)
      case 'gone':
      case 'again':
        return this.#failed(answer)
    }
  }

  async #post(encoded: EncodedBatch, signal?: AbortSignal): Promise<SendAnswer> {
    const { url, fetch, readToken } = this.#deps
    const token = await readToken().catch((error: unknown) => error as Error)
    if (typeof token !== 'string') return { kind: 'no-token', detail: token.message }
    this.counts.requests += 1
    this.counts.bytes += encoded.body.length
    const timeout = AbortSignal.timeout(requestSecondsMax * 1000)
    const signals = signal ? AbortSignal.any([signal, timeout]) : timeout
    const answer = await postBatch(encoded, { url, token, signal: signals, ...(fetch ? { fetch } : {}) })
    // The server counted the request before its response, so its window ends within sixty seconds from now.
    this.#budget.spend(this.#deps.monotonic())
    return answer
  }

  #recordAccepted(answer: BatchAccepted, { isLive, isSnapshot }: { isLive: boolean; isSnapshot: boolean }): number {
    if (this.#connection.kind !== 'connected' && this.#deps.isDry !== true)
      this.#deps.log('info', 'connected; the server accepts data')
    this.#connection = { kind: 'connected' }
    this.#failures = 0
    this.counts.accepted += 1
    if (answer.duplicate) this.counts.duplicates += 1
    this.#bytesAllowed = answer.directives.max_encoded_bytes
    this.#deps.onAnswer?.(answer, { isLive, isSnapshot })
    return 0
  }

  #failed(answer: Answer & { kind: 'gone' | 'again' }): number {
    if (answer.kind === 'gone') {
      this.#deps.log('error', 'the cluster was deleted on the server; the agent stops sending')
      this.#connection = { kind: 'gone' }
      return Number.POSITIVE_INFINITY
    }
    this.#note('offline', answer.detail)
    const random = this.#deps.random()
    const { waitSeconds } = answer
    return this.#waitFor(
      waitSeconds === undefined ? jitterSeconds(random, this.#failures) : retryAfterSeconds(random, waitSeconds),
    )
  }

  async #refused(
    { status, code, detail }: Answer & { kind: 'refused' },
    encoded: EncodedBatch,
    giveUp: () => Promise<void>,
  ): Promise<number> {
    if (status === 400 && this.#isHopeless(encoded)) await giveUp()
    return this.#waitForHelp(`${status} ${code} ${detail}`.slice(0, 300))
  }

  /** Counted per batch, because rejections of another batch do not matter. */
  #isHopeless({ headers }: EncodedBatch): boolean {
    const batch = headers['plimsoll-batch-id']
    this.#malformed = { batch, times: this.#malformed.batch === batch ? this.#malformed.times + 1 : 1 }
    return this.#malformed.times >= malformedMax
  }

  #waitForHelp(detail: string): number {
    this.#note('refused', detail)
    return this.#waitFor(jitterSeconds(this.#deps.random(), this.#failures + 2, refusedSecondsMax))
  }

  #note(kind: 'offline' | 'refused', detail: string): void {
    this.#failures += 1
    const since = 'since' in this.#connection ? this.#connection.since : this.#deps.monotonic()
    const before = this.#connection
    const isNews = before.kind !== kind || (kind === 'refused' && before.detail !== detail)
    if (isNews) this.#deps.log('warn', 'cannot send to the server; data is kept on disk', { kind, detail })
    this.#connection = { kind, since, detail }
  }

  #waitFor(seconds: number): number {
    this.#notBefore = this.#deps.monotonic() + seconds
    return seconds
  }
}

const idOf = ({ headers }: EncodedBatch) => ({ batch: headers['plimsoll-batch-id'] })
