import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../queue/replace-file.ts'

/** The mapping from the records of an epoch to sequence numbers of the server. */
export type EpochProgress = {
  /** All records up to here are acknowledged. */
  through: number
  /** Added to the position in the log to get the sequence number. */
  shift: number
  /** Additional parts of the current snapshot from splitting. */
  extraParts: number
  /** The current send if it is not exactly one record. After a crash the same bytes must be sent again. */
  plan?: Plan
}

export type Plan = {
  /** The last of the joined records. */
  through: number
  /** The rows before which the records are split. */
  cuts: number[]
  /** The number of acknowledged pieces. */
  done: number
}

export type Progress = { epochs: Record<string, EpochProgress>; history?: HistoryProgress }

export type HistoryProgress = {
  /** All hours before this one are sent or skipped. In hours since 1970. */
  fromHour: number
  /** The end of the history: the hour in which this agent first saw the cluster. */
  toHour: number
}

const fileName = 'progress.json'

/** An unreadable file counts as absent: batches then use their log positions as sequence numbers. */
export async function readProgress(directory: string): Promise<Progress> {
  try {
    const read = JSON.parse(await readFile(join(directory, fileName), 'utf8')) as Partial<Progress> | null
    return { epochs: {}, ...read }
  } catch {
    return { epochs: {} }
  }
}

export function writeProgress(directory: string, progress: Progress): Promise<void> {
  return replaceFile(join(directory, fileName), JSON.stringify(progress))
}
