import { statfs } from 'node:fs/promises'
import { isDatabaseAway, isDiskFull } from './database-away.ts'

/** PostgreSQL needs space for one more segment of its write-ahead log, or it stops. */
const walSegmentBytes = 16 * 1024 * 1024

const rememberedMs = 60_000

/** On a disk that hangs, statfs does not return: callers wait no longer than this. */
const statfsMsMax = 1000

export type DiskSpaceOptions = {
  now: () => Date
  /** The data directory of the embedded PostgreSQL; undefined: an external database. */
  dataDir?: string | undefined
  readFreeBytes?: (directory: string) => Promise<number>
}

/**
 * Whether a failure comes from a full disk. A failed write has its own error code. PostgreSQL then often stops, and
 * later requests only see an unresponsive database.
 */
export class DiskSpace {
  readonly #now: () => Date
  readonly #dataDir: string | undefined
  readonly #readFreeBytes: (directory: string) => Promise<number>
  #fullAtMs = -Infinity
  /** One call at a time: each call takes a thread of the Node pool until it returns. */
  #reading: Promise<number | undefined> | undefined

  constructor({ now, dataDir, readFreeBytes = freeBytes }: DiskSpaceOptions) {
    this.#now = now
    this.#dataDir = dataDir
    this.#readFreeBytes = readFreeBytes
  }

  async isCauseOf(error: unknown): Promise<boolean> {
    const nowMs = this.#now().getTime()
    if (isDiskFull(error)) {
      this.#fullAtMs = nowMs
      return true
    }
    if (!isDatabaseAway(error)) return false
    const free = this.#dataDir === undefined ? undefined : await this.#freeBytes(this.#dataDir)
    return free === undefined ? nowMs - this.#fullAtMs < rememberedMs : free < walSegmentBytes
  }

  /** Undefined if the directory cannot be read, or not in time. */
  async #freeBytes(directory: string): Promise<number | undefined> {
    this.#reading ??= this.#readFreeBytes(directory)
      .catch(() => undefined)
      .finally(() => (this.#reading = undefined))
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, statfsMsMax, undefined)))
    return Promise.race([this.#reading, late]).finally(() => clearTimeout(timer))
  }
}

async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory)
  return bavail * bsize
}
