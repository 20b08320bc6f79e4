import type { AgentFacts } from '@plimsoll/contract'
import { encodeBatch, type EncodedBatch } from '../shape/encode.ts'
import { EpochWriter } from '../shape/epoch-writer.ts'
import { cutPart } from './cut-history.ts'
import type { HistoryPart } from './history-part.ts'
import type { Outbox } from './outbox.ts'
import type { Behind } from './sender.ts'

/** Reads history in order of time. After a restart it begins with all objects that existed then. */
export type HistorySource = { read(hours: { from: number; to: number }): AsyncIterable<HistoryPart> }

export type HistoryDeps = {
  readonly source: HistorySource
  readonly outbox: Pick<Outbox, 'history' | 'setHistory'>
  readonly clusterUid: string
  readonly agent: () => AgentFacts
  readonly newEpochId: () => string
  /** The server's time, in seconds since 1970. */
  readonly now: () => number
  readonly daysBack: number
  /** Called when a part is ready to be sent. */
  readonly onReady: () => void
  readonly log: (level: 'info' | 'warn', message: string, fields?: object) => void
}

const hourSeconds = 3600
const retrySeconds = 600

/**
 * Sends the history of a cluster once, with the lowest priority. The progress is on disk. After a restart it continues
 * in a new epoch, because the refs are lost.
 */
export class History implements Behind {
  readonly #deps: HistoryDeps
  #reading: { parts: AsyncIterator<HistoryPart>; writer: EpochWriter; epoch: string; seq: number } | undefined
  /** The pieces of a split part and the part in progress come first. */
  #waiting: HistoryPart[] = []
  #encoded: EncodedBatch | undefined
  #isPulling = false
  #notBefore = 0

  constructor(deps: HistoryDeps) {
    this.#deps = deps
  }

  /** Never blocks: reading history is slow, and live data must not wait. */
  async next(): ReturnType<Behind['next']> {
    const [part] = this.#waiting
    if (!part) {
      if (!this.#isPulling) void this.#pull()
      return undefined
    }
    this.#encoded ??= this.#encode(part)
    return { encoded: this.#encoded, done: () => this.#done(part), tooLarge: () => this.#cut(part) }
  }

  /** A failed read is retried later from the last progress. */
  async #pull(): Promise<void> {
    if (this.#deps.now() < this.#notBefore) return
    this.#isPulling = true
    try {
      while (await this.#pullOne()) if (this.#waiting.length > 0) break
    } catch (error) {
      this.#reading = undefined
      this.#notBefore = this.#deps.now() + retrySeconds
      const detail = error instanceof Error ? error.message : String(error)
      this.#deps.log('warn', 'cannot read the usage history; retrying later', { detail })
    }
    this.#isPulling = false
    if (this.#waiting.length > 0) this.#deps.onReady()
  }

  /** False: the history is complete. Hours without data are skipped. */
  async #pullOne(): Promise<boolean> {
    const { outbox, source, now, daysBack } = this.#deps
    const toHour = Math.floor(now() / hourSeconds)
    const progress = outbox.history ?? { fromHour: toHour - daysBack * 24, toHour }
    if (!outbox.history) await outbox.setHistory(progress)
    if (progress.fromHour >= progress.toHour) return this.#end()
    this.#reading ??= this.#begin(source.read({ from: progress.fromHour, to: progress.toHour }))
    const { done, value } = (await this.#reading.parts.next()) as IteratorResult<HistoryPart, undefined>
    if (done) {
      await outbox.setHistory({ ...progress, fromHour: progress.toHour })
      return this.#end()
    }
    if (value.hours.length > 0) this.#waiting.push(value)
    else await outbox.setHistory({ ...progress, fromHour: value.through })
    return true
  }

  #end(): false {
    if (this.#reading) this.#deps.log('info', 'usage history sent')
    this.#reading = undefined
    return false
  }

  #begin(parts: AsyncIterable<HistoryPart>) {
    const epoch = this.#deps.newEpochId()
    const writer = new EpochWriter({ agent: this.#deps.agent, epoch })
    return { parts: parts[Symbol.asyncIterator](), writer, epoch, seq: 0 }
  }

  #encode({ objects, hours, through }: HistoryPart): EncodedBatch {
    const reading = this.#reading
    if (!reading) throw new Error('no history is being sent')
    const batch = reading.writer.history(objects, hours, through * hourSeconds)
    return encodeBatch({ batch, epoch: reading.epoch, seq: reading.seq + 1 }, this.#deps.clusterUid, 'backfill')
  }

  async #done(part: HistoryPart): Promise<void> {
    if (this.#reading) this.#reading.seq += 1
    await this.#pass(part)
  }

  async #cut(part: HistoryPart): Promise<void> {
    this.#encoded = undefined
    const begun = this.#deps.outbox.history?.fromHour ?? part.through
    const parts = cutPart(part, begun)
    if (parts) return void this.#waiting.splice(0, 1, ...parts)
    this.#deps.log('warn', 'a row of the usage history is too large for the server; skipping it', {
      through: part.through,
    })
    await this.#pass(part)
  }

  async #pass({ through }: HistoryPart): Promise<void> {
    this.#waiting.shift()
    this.#encoded = undefined
    const { outbox } = this.#deps
    if (outbox.history) await outbox.setHistory({ ...outbox.history, fromHour: through })
  }
}
