import { statfs } from 'node:fs/promises'
import { isDatabaseAway, isDiskFull } from './database-away.ts'

/** PostgreSQL needs room for one more segment of its write-ahead log, or it stops. */
const walSegmentBytes = 16 * 1024 * 1024

const rememberedMs = 60_000

export type DiskSpaceOptions = {
  now: () => Date
  /** Where the embedded PostgreSQL keeps its data; undefined: the database is elsewhere. */
  dataDir?: string | undefined
}

/**
 * Says whether a failure comes from a full disk. A write that finds no room names its cause itself. PostgreSQL then often
 * stops, and the requests after it see only a database that does not answer.
 */
export class DiskSpace {
  readonly #now: () => Date
  readonly #dataDir: string | undefined
  #fullAtMs = -Infinity

  constructor({ now, dataDir }: DiskSpaceOptions) {
    this.#now = now
    this.#dataDir = dataDir
  }

  async isCauseOf(error: unknown): Promise<boolean> {
    const nowMs = this.#now().getTime()
    if (isDiskFull(error)) {
      this.#fullAtMs = nowMs
      return true
    }
    if (!isDatabaseAway(error)) return false
    return this.#dataDir === undefined
      ? nowMs - this.#fullAtMs < rememberedMs
      : (await freeBytes(this.#dataDir)) < walSegmentBytes
  }
}

/** Only called after a failure; a directory that cannot be read says nothing about its disk. */
async function freeBytes(directory: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(directory)
    return bavail * bsize
  } catch {
    return Infinity
  }
}
