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
  /** A failed write of the progress only causes a repetition after a crash. */
  readonly onProgressError?: (error: unknown) => void
}

/** The next batch to send. */
export type Outgoing = {
  readonly encoded: EncodedBatch
  readonly isLive: boolean
  readonly isSnapshot: boolean
  readonly first: Entry
  readonly plan: { readonly through: number; readonly cuts: readonly number[]; readonly done: number }
  /** The rows of the batch; undefined: all rows of the records. */
  readonly rows: Rows | undefined
}

type Rows = { readonly from: number; readonly to: number }

type Entry = { readonly position: number; readonly head: RecordHead; readonly bytes: number }

/** Minutes of the backlog per batch. Joined minutes send the backlog of a day in minutes instead of hours. */
const joinedMax = 5

const compress = promisify(gzip)

/**
 * The unacknowledged records on disk, as batches to send. The live epoch goes first; earlier epochs follow, each in
 * order. Sequence numbers have gaps only where records were lost.
 */
export class Outbox {
  readonly #directory: string
  readonly #queue: DiskQueue
  readonly #progress: Progress
  readonly #onProgressError: (error: unknown) => void
  #entries: Entry[]
  /** Epochs whose next batch may have reached the server without a response. It is sent again unchanged. */
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

  /** Dropped: no disk space. Damaged: lost by the disk. Refused: the server will never accept it. */
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

  /** Records appended from now on are live; older records become the backlog. */
  beginEpoch(epoch: string): void {
    this.#live = epoch
  }

  /** Resolves when the record is on disk. */
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
      // A batch that may have arrived is not split without need, because its rows would arrive twice.
      const isTooLarge = outgoing.encoded.body.length > encodedBytesMax && !this.#maybeSent.has(first.head.epoch)
      if (isTooLarge && (await this.cut(outgoing))) continue
      this.#maybeSent.add(first.head.epoch)
      return outgoing
    }
  }

  /** Removes a batch that the server has accepted. */
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

  /** Splits a batch that is too large for the server or a proxy. False if it is a single row. */
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

  /** Drops a batch that the server will never accept. The server sees the gap. */
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

  /** An epoch without progress uses its log positions as sequence numbers. */
  #progressOf({ head }: Entry): EpochProgress {
    return (this.#progress.epochs[head.epoch] ??= { through: head.seq - 1, shift: 0, extraParts: 0 })
  }

  /** Live minutes are sent one by one. Consecutive minutes of the backlog are joined. */
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

  /** Undefined: a record was lost, so the plan must be made again. */
  async #prepare(entries: Entry[], progress: EpochProgress, plan: Outgoing['plan']): Promise<Outgoing | undefined> {
    const chosen = entries.filter(({ head }) => head.seq <= plan.through)
    const [first] = chosen
    const bodies = await this.#readBodies(chosen)
    if (!first || !bodies) return undefined
    const isPlain = chosen.length === 1 && plan.cuts.length === 0 && (!first.head.snapshot || progress.extraParts === 0)
    // Stored before the first send, so that the same bytes are sent again after a crash.
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

  /** Drops records that are unreadable or contain no batch. */
  async #lose(lost: readonly Entry[]): Promise<undefined> {
    for (const { position } of lost) await this.#queue.discard(position)
    this.#entries = this.#entries.filter((entry) => !lost.includes(entry))
  }

  /** Stores the progress before the queue drops the record. In the other order, sequence numbers could repeat. */
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
