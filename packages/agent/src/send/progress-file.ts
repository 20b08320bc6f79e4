import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from '../queue/replace-file.ts'

/** How what an epoch has written becomes what the server is told, as far as that is not one to one. */
export type EpochProgress = {
  /** Everything up to here is acknowledged. */
  through: number
  /** What is to be added to a place in the log to get the number that the server knows it by. */
  shift: number
  /** Parts that cutting has added to the snapshot that is being sent. */
  extraParts: number
  /** What is being sent, if it is more or less than one record: the same bytes must go out again after a crash. */
  plan?: Plan
}

export type Plan = {
  /** The last of the records that go out together. */
  through: number
  /** Before which rows they are cut. */
  cuts: number[]
  /** How many of the pieces are acknowledged. */
  done: number
}

export type Progress = { epochs: Record<string, EpochProgress>; history?: HistoryProgress }

export type HistoryProgress = {
  /** Everything before this hour is told, or not to be told. In hours since 1970. */
  fromHour: number
  /** The first hour that is not of the past any more: when this agent first came to this cluster. */
  toHour: number
}

const fileName = 'progress.json'

/** Unreadable is like absent: batches then go out under the numbers that they have in the log. */
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
