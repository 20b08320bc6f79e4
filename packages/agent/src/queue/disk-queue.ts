import { mkdir, open, readdir, readFile, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { frame, HEADER_BYTES, scan } from './frame.ts'
import { isAcknowledged, readPointer, withRanges, writePointer, type Pointer, type Range } from './pointer-file.ts'
import { syncDirectory } from './replace-file.ts'

export type QueueOptions = {
  directory: string
  /** Above this size, the oldest records are dropped. Default 2 GiB. */
  bytesMax?: number
  /** A file of this size gets no more records. A single record may be larger. Default 8 MiB. */
  segmentBytes?: number
  /** Opens and deletes files; tests replace it to simulate disk failures. */
  files?: QueueFiles
}

export type QueueFiles = { open: typeof open; rm: typeof rm }

type Segment = {
  /** The position of the first record; positions start at 1. */
  first: number
  path: string
  records: { offset: number; length: number }[]
  bytes: number
  acknowledged: Set<number>
}

/** Lost records. Dropped: the disk or the size limit had no space. Damaged: the file content changed. */
export type Losses = { dropped: number; damaged: number }

const gib = 1024 ** 3
const segmentName = /^(\d{16})\.log$/

/**
 * A durable queue. An appended record survives `kill -9` and a power failure until it is acknowledged. Records are read
 * in any order. After a crash, an acknowledged record may return, but no record is lost.
 */
export class DiskQueue {
  readonly #directory: string
  readonly #bytesMax: number
  readonly #segmentBytes: number
  readonly #files: QueueFiles
  readonly #segments: Segment[]
  readonly #losses: Losses
  /** Ranges of deleted files behind unacknowledged records. These records are not missing. */
  #removed: readonly Range[] = []
  #next: number
  #file: FileHandle | undefined
  /** Runs operations in sequence, because a write must not overlap with the deletion of its file. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(options: Required<QueueOptions>, segments: Segment[], next: number, damaged: number) {
    this.#directory = options.directory
    this.#bytesMax = options.bytesMax
    this.#segmentBytes = options.segmentBytes
    this.#files = options.files
    this.#segments = segments
    this.#next = next
    this.#losses = { dropped: 0, damaged }
  }

  static async open(options: QueueOptions): Promise<DiskQueue> {
    const { directory, bytesMax = 2 * gib, segmentBytes = 8 * 1024 ** 2, files = { open, rm } } = options
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const pointer = await readPointer(directory)
    const segments = await readSegments(directory)
    const damaged = countMissing(segments, pointer)
    for (const segment of segments) acknowledgeAll(segment, pointer)
    const last = segments.at(-1)
    const end = Math.max(pointer.through, ...pointer.removed.map((range) => range.end - 1))
    const next = Math.max(end, last ? last.first + last.records.length - 1 : 0) + 1
    const queue = new DiskQueue({ directory, bytesMax, segmentBytes, files }, segments, next, damaged)
    queue.#removed = pointer.removed
    // A failed deletion is retried with the next acknowledgement.
    await queue.#unlinkDone().catch(() => undefined)
    return queue
  }

  get losses(): Losses {
    return { ...this.#losses }
  }

  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** Unacknowledged positions, oldest first. */
  positions(): number[] {
    return this.#segments.flatMap(({ first, records, acknowledged }) =>
      records.map((_record, index) => first + index).filter((position) => !acknowledged.has(position)),
    )
  }

  /** Resolves with the position when the record is on disk. */
  append(record: Uint8Array): Promise<number> {
    return this.#inTurn(() => this.#append(record))
  }

  /** Undefined if the record was acknowledged or dropped in the meantime, or is damaged. */
  read(position: number): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#read(position))
  }

  acknowledge(position: number): Promise<void> {
    return this.#inTurn(async () => {
      this.#find(position)?.acknowledged.add(position)
      await this.#unlinkDone()
    })
  }

  /** Removes a record whose content is unreadable. */
  discard(position: number): Promise<void> {
    return this.#inTurn(async () => this.#countDamaged(position))
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#writePointer()
      await this.#closeFile()
    })
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }

  async #append(record: Uint8Array): Promise<number> {
    const framed = frame(record)
    while (this.bytes + framed.length > this.#bytesMax && this.#segments.length > 0) await this.#dropOldest()
    for (;;) {
      try {
        return await this.#write(framed)
      } catch (error) {
        if (!isFull(error) || this.bytes === 0) throw error
        await this.#dropOldest()
      }
    }
  }

  async #write(framed: Buffer): Promise<number> {
    const { file, segment } = await this.#openFile(framed.length)
    try {
      await writeWhole(file, framed, segment.bytes)
      await file.datasync()
    } catch (error) {
      // A partial record wastes space. If the truncation fails, the next record goes to a new file.
      await file.truncate(segment.bytes).catch(() => undefined)
      await this.#closeFile()
      throw error
    }
    segment.records.push({ offset: segment.bytes + HEADER_BYTES, length: framed.length - HEADER_BYTES })
    segment.bytes += framed.length
    return this.#next++
  }

  /** The current file, or a new one if the current file is full or none is open. */
  async #openFile(bytes: number): Promise<{ file: FileHandle; segment: Segment }> {
    const newest = this.#segments.at(-1)
    if (this.#file && newest && (newest.bytes === 0 || newest.bytes + bytes <= this.#segmentBytes))
      return { file: this.#file, segment: newest }
    await this.#closeFile()
    const path = join(this.#directory, `${String(this.#next).padStart(16, '0')}.log`)
    // An existing file with this name is left over from a failed write.
    const file = await this.#files.open(path, 'w', 0o600)
    await syncDirectory(this.#directory)
    this.#file = file
    const segment = { first: this.#next, path, records: [], bytes: 0, acknowledged: new Set<number>() }
    if (newest?.records.length === 0) this.#segments.pop()
    this.#segments.push(segment)
    return { file, segment }
  }

  async #read(position: number): Promise<Buffer | undefined> {
    const segment = this.#find(position)
    const record = segment?.records[position - segment.first]
    if (!segment || !record || segment.acknowledged.has(position)) return undefined
    const framed = Buffer.alloc(HEADER_BYTES + record.length)
    await this.#readInto(framed, segment.path, record.offset - HEADER_BYTES).catch(() => undefined)
    if (scan(framed).records.length === 1) return framed.subarray(HEADER_BYTES)
    this.#countDamaged(position)
    return undefined
  }

  async #readInto(framed: Buffer, path: string, offset: number): Promise<void> {
    const file = await this.#files.open(path, 'r')
    try {
      await file.read(framed, 0, framed.length, offset)
    } finally {
      await file.close()
    }
  }

  #countDamaged(position: number): void {
    const acknowledged = this.#find(position)?.acknowledged
    if (!acknowledged || acknowledged.has(position)) return
    this.#losses.damaged += 1
    acknowledged.add(position)
  }

  #find(position: number): Segment | undefined {
    return this.#segments.find(({ first, records }) => first <= position && position < first + records.length)
  }

  async #dropOldest(): Promise<void> {
    const [oldest] = this.#segments
    if (!oldest) return
    this.#losses.dropped += oldest.records.length - oldest.acknowledged.size
    oldest.records.forEach((_record, index) => oldest.acknowledged.add(oldest.first + index))
    if (this.#segments.length === 1) await this.#closeFile()
    await this.#unlinkDone()
  }

  /** Deletes fully acknowledged files. The current file stays until a new one is opened. */
  async #unlinkDone(): Promise<void> {
    const isDone = ({ records, acknowledged }: Segment) => acknowledged.size === records.length
    const isWritten = (segment: Segment) => this.#file !== undefined && segment === this.#segments.at(-1)
    const done = this.#segments.filter((segment) => isDone(segment) && !isWritten(segment))
    if (done.length === 0) return
    this.#removed = withRanges(this.#removed, done.map(rangeOf))
    // Written first, because otherwise a restart would begin the positions again. A failure is ignored, because a full
    // disk would be worse.
    const isPointed = await this.#writePointer()
    for (const segment of done) {
      await this.#files.rm(segment.path, { force: true })
      this.#segments.splice(this.#segments.indexOf(segment), 1)
    }
    if (!isPointed) await this.#writePointer()
  }

  /** Stores the acknowledged position. False: the write failed, so some records return after a restart. */
  async #writePointer(): Promise<boolean> {
    const [first] = this.positions()
    const through = (first ?? this.#next) - 1
    this.#removed = this.#removed.filter(({ end }) => end > through + 1)
    return writePointer(this.#directory, { through, removed: this.#removed }, this.#files.open).then(
      () => true,
      () => false,
    )
  }

  async #closeFile(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }
}

/** A nearly full disk may write only a part of the bytes without an error. */
async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    if (bytesWritten === 0) throw new Error('cannot write to the disk buffer')
    done += bytesWritten
  }
}

const isFull = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOSPC'

async function readSegments(directory: string): Promise<Segment[]> {
  const names = (await readdir(directory)).filter((name) => segmentName.test(name)).sort()
  const segments: Segment[] = []
  for (const name of names) {
    const path = join(directory, name)
    const bytes = await readFile(path).catch(() => undefined)
    // Treated as absent: its records count as missing.
    if (!bytes) continue
    const { records, wholeBytes } = scan(bytes)
    segments.push({ first: Number(name.slice(0, 16)), path, records, bytes: wholeBytes, acknowledged: new Set() })
  }
  return segments
}

/** Counts gaps between files, except for deleted files. An incomplete record at the end was never confirmed. */
function countMissing(segments: readonly Segment[], { through, removed }: Pointer): number {
  return segments.reduce((sum, { first, records }, index) => {
    const end = Math.max(first + records.length, through + 1)
    const next = segments[index + 1]?.first ?? end
    const gone = removed.map((range) => Math.max(0, Math.min(range.end, next) - Math.max(range.first, end)))
    return sum + Math.max(0, next - end - gone.reduce((count, each) => count + each, 0))
  }, 0)
}

const rangeOf = ({ first, records }: Segment): Range => ({ first, end: first + records.length })

function acknowledgeAll({ first, records, acknowledged }: Segment, pointer: Pointer): void {
  records.forEach((_record, index) => {
    if (isAcknowledged(pointer, first + index)) acknowledged.add(first + index)
  })
}
