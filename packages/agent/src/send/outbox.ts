import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { DiskQueue, type Losses, type QueueFiles } from '../queue/disk-queue.ts'
import { readBody, seal, type EncodedBatch } from '../shape/encode.ts'
import { countRows, cutBatch } from '../shape/reshape.ts'
import { joined, rowsOf, tried } from './join.ts'
import { forgetLost } from './lost-plan.ts'
import { decodeRecord, encodeRecord, type RecordHead } from './log-record.ts'
import {
  readProgress,
  writeProgress,
  type EpochProgress,
  type HistoryProgress,
  type Progress,
} from './progress-file.ts'

export type OutboxOptions = {
  readonly directory: string
  readonly bytesMax?: number
  readonly segmentBytes?: number
  readonly files?: QueueFiles
  /** Progress that cannot be written costs a repetition after a crash, no more. */
  readonly onProgressError?: (error: unknown) => void
}

/** What goes out next. */
export type Outgoing = {
  readonly encoded: EncodedBatch
  readonly isLive: boolean
  readonly isSnapshot: boolean
  readonly first: Entry
  readonly plan: { readonly through: number; readonly cuts: readonly number[]; readonly done: number }
  /** Which rows it holds; undefined: all that were written. */
  readonly rows: Rows | undefined
}

type Rows = { readonly from: number; readonly to: number }

type Entry = { readonly position: number; readonly head: RecordHead; readonly bytes: number }

/** Minutes of the past that go out as one batch: a day of them then takes minutes, not hours, of what an agent may send. */
const joinedMax = 5

const compress = promisify(gzip)

/**
 * What is on the disk and not acknowledged, as batches to send. The live epoch goes first; what earlier epochs left behind
 * follows, each in its own order. Numbers that the server sees have no hole but where something was lost.
 */
export class Outbox {
  readonly #directory: string
  readonly #queue: DiskQueue
  readonly #progress: Progress
  readonly #onProgressError: (error: unknown) => void
  #entries: Entry[]
  /** Epochs of which what is next may be at the server already, unheard of: it goes out again as it is. */
  readonly #maybeSent: Set<string>
  #dropped = 0
  #refused = 0
  #live: string | undefined

  private constructor(options: OutboxOptions, queue: DiskQueue, entries: Entry[], progress: Progress) {
    this.#directory = options.directory
    this.#onProgressError = options.onProgressError ?? (() => undefined)
    this.#queue = queue
    this.#entries = entries
    this.#progress = progress
    this.#maybeSent = new Set(entries.map(({ head }) => head.epoch))
  }

  static async open(options: OutboxOptions): Promise<Outbox> {
    const queue = await DiskQueue.open(options)
    const progress = await readProgress(options.directory)
    const entries: Entry[] = []
    for (const position of queue.positions()) {
      const record = await queue.read(position)
      const head = record && tried(() => decodeRecord(record).head)
      if (head) entries.push({ position, head, bytes: record.length })
      else await queue.discard(position)
    }
    const epochs = new Set(entries.map(({ head }) => head.epoch))
    for (const epoch of Object.keys(progress.epochs)) if (!epochs.has(epoch)) delete progress.epochs[epoch]
    return new Outbox(options, queue, entries, progress)
  }

  /** Dropped: there was no room. Damaged: the disk lost it. Refused: the server would never take it. */
  get losses(): Losses & { refused: number } {
    return { ...this.#queue.losses, refused: this.#refused }
  }

  get bytes(): number {
    return this.#queue.bytes
  }

  get history(): HistoryProgress | undefined {
    return this.#progress.history
  }

  async setHistory(history: HistoryProgress): Promise<void> {
    this.#progress.history = history
    await this.#saveProgress()
  }

  pending(): { live: number; backlog: number; liveSince: number | undefined; hasLiveSnapshot: boolean } {
    const live = this.#entries.filter(({ head }) => head.epoch === this.#live)
    const hasLiveSnapshot = live.some(({ head }) => head.snapshot !== undefined)
    const liveSince = live[0]?.head.observedAt
    return { live: live.length, backlog: this.#entries.length - live.length, liveSince, hasLiveSnapshot }
  }

  /** What is appended from now on is live; what was, is left behind. */
  beginEpoch(epoch: string): void {
    this.#live = epoch
  }

  /** Resolves when it is on the disk. */
  async append(head: RecordHead, body: Uint8Array): Promise<void> {
    const record = encodeRecord(head, body)
    const position = await this.#queue.append(record)
    this.#entries.push({ position, head, bytes: record.length })
    this.#forgetDropped()
  }

  async next(encodedBytesMax: number): Promise<Outgoing | undefined> {
    for (;;) {
      const entries = this.#chosenEpoch()
      const [first] = entries
      if (!first) return undefined
      const progress = this.#progressOf(first)
      if (first.head.seq <= progress.through) {
        await this.#acknowledge([first])
        continue
      }
      const seqs = entries.map(({ head }) => head.seq)
      if (forgetLost(progress, seqs)) {
        this.#maybeSent.delete(first.head.epoch)
        await this.#saveProgress()
      }
      const plan = progress.plan ?? this.#planFor(entries, encodedBytesMax)
      const outgoing = await this.#prepare(entries, progress, plan)
      if (!outgoing) continue
      // What may be there already is not cut without need: it would be there twice.
      const isTooLarge = outgoing.encoded.body.length > encodedBytesMax && !this.#maybeSent.has(first.head.epoch)
      if (isTooLarge && (await this.cut(outgoing))) continue
      this.#maybeSent.add(first.head.epoch)
      return outgoing
    }
  }

  /** The server has it, so it need not be kept. */
  async accepted({ first, plan }: Outgoing): Promise<void> {
    const progress = this.#progressOf(first)
    const pieces = plan.cuts.length + 1
    if (plan.done + 1 < pieces) {
      progress.plan = { through: plan.through, cuts: [...plan.cuts], done: plan.done + 1 }
      this.#maybeSent.delete(first.head.epoch)
      return this.#saveProgress()
    }
    await this.#finish(first, plan.through, pieces)
  }

  /** Too large for the server, or for something on the way: it goes out in two halves. False where it has but one row. */
  async cut({ first, plan, encoded, ...outgoing }: Outgoing): Promise<boolean> {
    const rows = outgoing.rows ?? { from: 0, to: tried(() => countRows(readBody(encoded.body))) ?? 0 }
    if (rows.to - rows.from < 2) return false
    const middle = Math.floor((rows.from + rows.to) / 2)
    const cuts = [...plan.cuts, middle].sort((a, b) => a - b)
    this.#progressOf(first).plan = { through: plan.through, cuts, done: plan.done }
    this.#maybeSent.delete(first.head.epoch)
    await this.#saveProgress()
    return true
  }

  /** It will never be taken. The server sees that something is missing. */
  async giveUp({ first, plan }: Outgoing): Promise<void> {
    this.#refused += 1
    await this.#finish(first, plan.through, plan.cuts.length + 1)
  }

  close(): Promise<void> {
    return this.#queue.close()
  }

  #chosenEpoch(): Entry[] {
    const epoch = this.#entries.some(({ head }) => head.epoch === this.#live)
      ? this.#live
      : this.#entries[0]?.head.epoch
    return this.#entries.filter(({ head }) => head.epoch === epoch)
  }

  /** Of an epoch without any, numbers are those of the log. */
  #progressOf({ head }: Entry): EpochProgress {
    return (this.#progress.epochs[head.epoch] ??= { through: head.seq - 1, shift: 0, extraParts: 0 })
  }

  /** Live minutes go out one by one as they come. Of what is left behind, some that follow each other go together. */
  #planFor(entries: readonly Entry[], encodedBytesMax: number): Outgoing['plan'] {
    const [first] = entries
    if (!first) throw new Error('there is no batch to plan')
    let { seq } = first.head
    let { bytes } = first
    const isJoinable = ({ head }: Entry) => head.epoch !== this.#live && !head.snapshot
    const isAlone = this.#maybeSent.has(first.head.epoch) || !isJoinable(first)
    for (const entry of isAlone ? [] : entries.slice(1, joinedMax)) {
      bytes += entry.bytes
      if (!isJoinable(entry) || entry.head.seq !== seq + 1 || bytes > encodedBytesMax) break
      seq += 1
    }
    return { through: seq, cuts: [], done: 0 }
  }

  /** Undefined: something of it was lost, and what is left must be looked at anew. */
  async #prepare(entries: Entry[], progress: EpochProgress, plan: Outgoing['plan']): Promise<Outgoing | undefined> {
    const chosen = entries.filter(({ head }) => head.seq <= plan.through)
    const [first] = chosen
    const bodies = await this.#readBodies(chosen)
    if (!first || !bodies) return undefined
    const isPlain = chosen.length === 1 && plan.cuts.length === 0 && (!first.head.snapshot || progress.extraParts === 0)
    // Before it goes out for the first time, so that the same bytes go out again after a crash.
    if (!isPlain && !progress.plan) {
      progress.plan = { ...plan, cuts: [...plan.cuts] }
      await this.#saveProgress()
    }
    const { epoch, seq, clusterUid, snapshot } = first.head
    const extra = progress.extraParts
    const part = snapshot && {
      part: snapshot.part + extra + plan.done,
      parts: snapshot.parts + extra + plan.cuts.length,
    }
    const number = seq + progress.shift + plan.done
    const envelope = { epoch, seq: number, clusterUid, kind: 'live' as const, snapshot: part }
    const outgoing = { isLive: epoch === this.#live, isSnapshot: snapshot !== undefined, first, plan }
    if (isPlain) return { ...outgoing, encoded: seal(envelope, bodies[0]), rows: undefined }
    const batch = tried(() => joined(bodies))
    if (!batch) {
      const broken = chosen.filter((_entry, index) => !tried(() => readBody(bodies[index] ?? Buffer.alloc(0))))
      return this.#lose(broken.length > 0 ? broken : chosen)
    }
    const rows = rowsOf(countRows(batch), plan)
    const whole = snapshot && part && { ...part, id: snapshot.id, observed_at: first.head.observedAt }
    const body = await compress(JSON.stringify(cutBatch(batch, rows, whole)))
    return { ...outgoing, encoded: seal(envelope, body), rows }
  }

  async #readBodies(entries: readonly Entry[]): Promise<[Buffer, ...Buffer[]] | undefined> {
    const bodies: Buffer[] = []
    for (const entry of entries) {
      const record = await this.#queue.read(entry.position)
      if (!record) return this.#lose([entry])
      bodies.push(decodeRecord(record).body)
    }
    const [first, ...rest] = bodies
    return first && [first, ...rest]
  }

  /** The disk did not keep it, or not as a batch. */
  async #lose(lost: readonly Entry[]): Promise<undefined> {
    for (const { position } of lost) await this.#queue.discard(position)
    this.#entries = this.#entries.filter((entry) => !lost.includes(entry))
  }

  /** First what was done is noted, then the queue may forget it: the other way round, numbers would be given twice. */
  async #finish(first: Entry, through: number, pieces: number): Promise<void> {
    const progress = this.#progressOf(first)
    const { seq, epoch, snapshot } = first.head
    const last = seq + progress.shift + pieces - 1
    progress.through = through
    progress.shift = last - through
    progress.extraParts = snapshot && snapshot.part < snapshot.parts ? progress.extraParts + pieces - 1 : 0
    delete progress.plan
    this.#maybeSent.delete(epoch)
    const done = this.#entries.filter(({ head }) => head.epoch === epoch && head.seq <= through)
    await this.#saveProgress()
    await this.#acknowledge(done)
  }

  async #acknowledge(done: readonly Entry[]): Promise<void> {
    const positions = new Set(done.map(({ position }) => position))
    this.#entries = this.#entries.filter(({ position }) => !positions.has(position))
    for (const position of positions) await this.#queue.acknowledge(position)
  }

  #forgetDropped(): void {
    const { dropped } = this.#queue.losses
    if (dropped === this.#dropped) return
    this.#dropped = dropped
    const kept = new Set(this.#queue.positions())
    this.#entries = this.#entries.filter(({ position }) => kept.has(position))
  }

  async #saveProgress(): Promise<void> {
    await writeProgress(this.#directory, this.#progress).catch(this.#onProgressError)
  }
}
