import type { AgentFacts } from '@plimsoll/contract'
import type { Living } from '../facts.ts'
import { encodeBatch, type EncodedBatch } from '../shape/encode.ts'
import { EpochWriter, type Delta, type HistoryHour } from '../shape/epoch-writer.ts'
import type { Outbox } from './outbox.ts'
import type { Behind } from './sender.ts'

/** Some hours of the past, with all that was there in them and was not told before. */
export type HistoryPart = {
  /** With it, everything before this hour is told. In hours since 1970. */
  readonly through: number
  readonly objects: Living & Pick<Delta, 'ends'>
  readonly hours: readonly HistoryHour[]
}

/** Tells the past forward in time. Begun anew, it begins with everything that lived then. */
export type HistorySource = { tell(hours: { from: number; to: number }): AsyncIterable<HistoryPart> }

export type HistoryDeps = {
  readonly source: HistorySource
  readonly outbox: Pick<Outbox, 'history' | 'setHistory'>
  readonly clusterUid: string
  readonly agent: () => AgentFacts
  readonly newEpochId: () => string
  /** The server's time, in seconds since 1970. */
  readonly now: () => number
  readonly daysBack: number
  readonly log: (level: 'info' | 'warn', message: string, fields?: object) => void
}

const hourSeconds = 3600
const retrySeconds = 600

/**
 * The past of a cluster, once, behind everything else. How far it was told is kept on disk; whoever is started again goes on from
 * there in an epoch of its own, because the numbers of objects are gone.
 */
export class History implements Behind {
  readonly #deps: HistoryDeps
  #telling: { parts: AsyncIterator<HistoryPart>; writer: EpochWriter; epoch: string; seq: number } | undefined
  /** Cut out of what was too large, and what is being sent, first. */
  #waiting: HistoryPart[] = []
  #encoded: EncodedBatch | undefined
  #notBefore = 0

  constructor(deps: HistoryDeps) {
    this.#deps = deps
  }

  async next(): ReturnType<Behind['next']> {
    if (this.#deps.now() < this.#notBefore) return undefined
    try {
      const part = this.#waiting[0] ?? (await this.#pull())
      if (!part) return undefined
      this.#encoded ??= this.#encode(part)
      return { encoded: this.#encoded, done: () => this.#done(part), tooLarge: () => this.#cut(part) }
    } catch (error) {
      this.#telling = undefined
      this.#waiting = []
      this.#encoded = undefined
      this.#notBefore = this.#deps.now() + retrySeconds
      const detail = error instanceof Error ? error.message : String(error)
      this.#deps.log('warn', 'the past could not be read and is tried again later', { detail })
      return undefined
    }
  }

  async #pull(): Promise<HistoryPart | undefined> {
    const { outbox, source, now, daysBack } = this.#deps
    const toHour = Math.floor(now() / hourSeconds)
    const progress = outbox.history ?? { fromHour: toHour - daysBack * 24, toHour }
    if (!outbox.history) await outbox.setHistory(progress)
    if (progress.fromHour >= progress.toHour) return undefined
    this.#telling ??= this.#begin(source.tell({ from: progress.fromHour, to: progress.toHour }))
    const { done, value } = (await this.#telling.parts.next()) as IteratorResult<HistoryPart, undefined>
    if (done) {
      this.#telling = undefined
      await outbox.setHistory({ ...progress, fromHour: progress.toHour })
      this.#deps.log('info', 'the past is told')
      return undefined
    }
    this.#waiting.push(value)
    return value
  }

  #begin(parts: AsyncIterable<HistoryPart>) {
    const epoch = this.#deps.newEpochId()
    const writer = new EpochWriter({ agent: this.#deps.agent, epoch })
    return { parts: parts[Symbol.asyncIterator](), writer, epoch, seq: 0 }
  }

  #encode({ objects, hours, through }: HistoryPart): EncodedBatch {
    const telling = this.#telling
    if (!telling) throw new Error('nothing is being told')
    const batch = telling.writer.history(objects, hours, through * hourSeconds)
    return encodeBatch({ batch, epoch: telling.epoch, seq: telling.seq + 1 }, this.#deps.clusterUid, 'backfill')
  }

  async #done({ through }: HistoryPart): Promise<void> {
    this.#waiting.shift()
    this.#encoded = undefined
    if (this.#telling) this.#telling.seq += 1
    const { outbox } = this.#deps
    if (outbox.history) await outbox.setHistory({ ...outbox.history, fromHour: through })
  }

  /** The objects go with the first half, for the second names them. */
  async #cut({ objects, hours, through }: HistoryPart): Promise<void> {
    this.#encoded = undefined
    if (hours.length < 2) throw new Error('one hour of the past is too large to be sent')
    const middle = Math.floor(hours.length / 2)
    const from = this.#deps.outbox.history?.fromHour ?? through
    this.#waiting.splice(
      0,
      1,
      { objects, hours: hours.slice(0, middle), through: from },
      { objects: nothing, hours: hours.slice(middle), through },
    )
  }
}

const nothing: HistoryPart['objects'] = {
  namespaces: [],
  nodes: [],
  pods: [],
  volumes: [],
  balancers: [],
  objects: [],
  ends: [],
}
