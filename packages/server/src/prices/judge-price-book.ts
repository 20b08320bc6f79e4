import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { comparePriceBooks, parsePriceBook, PriceBookError } from '@plimsoll/pricebook'
import { priceBookWorkerFile } from '../directories.ts'

export type PriceBookFiles = { bytes: Uint8Array; inUse: Uint8Array }

export type JudgedPriceBook =
  | {
      kind: 'accepted'
      version: string
      asOf: string
      changes: { added: number; removed: number; same: number; changed: number }
    }
  | { kind: 'refused'; message: string; problems: readonly string[] }

export function judgePriceBook({ bytes, inUse }: PriceBookFiles): JudgedPriceBook {
  try {
    const before = parsePriceBook(inUse)
    const book = parsePriceBook(bytes, { after: before })
    const { changed, ...counts } = comparePriceBooks(before, book)
    return {
      kind: 'accepted',
      version: book.version,
      asOf: book.asOf,
      changes: { ...counts, changed: changed.length },
    }
  } catch (error) {
    if (!(error instanceof PriceBookError)) throw error
    return { kind: 'refused', message: error.message, problems: error.problems }
  }
}

/** Several times what the largest book takes. */
const memoryMibMax = 512

/** Inflating, parsing and comparing two books takes longer than the event loop may be held. */
export async function judgeInThread(files: PriceBookFiles): Promise<JudgedPriceBook> {
  const worker = new Worker(priceBookWorkerFile, {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
    execArgv: [],
  })
  try {
    const [judged] = (await once(worker, 'message')) as [JudgedPriceBook]
    return judged
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    const problem = `reading it takes more than ${memoryMibMax} MiB of memory`
    return { kind: 'refused', message: `This is not a usable price book: ${problem}`, problems: [problem] }
  } finally {
    await worker.terminate()
  }
}
