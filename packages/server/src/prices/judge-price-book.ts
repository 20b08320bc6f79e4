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
    const before = parsePriceBook(inUse, { isStored: true })
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

export type JudgeLimits = { memoryMibMax: number; timeMsMax: number }

/** The released price list takes 1 s and 100 MiB on a slow machine. */
const defaultLimits: JudgeLimits = { memoryMibMax: 512, timeMsMax: 30_000 }

/** Inflating, parsing and comparing two price lists takes too long for the event loop. */
export async function judgeInThread(
  files: PriceBookFiles,
  { memoryMibMax, timeMsMax }: JudgeLimits = defaultLimits,
): Promise<JudgedPriceBook> {
  const worker = new Worker(priceBookWorkerFile, {
    workerData: files,
    resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
    execArgv: [],
  })
  try {
    const signal = AbortSignal.timeout(timeMsMax)
    const [judged] = (await once(worker, 'message', { signal })) as [JudgedPriceBook]
    return judged
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ABORT_ERR') return refused(`parsing takes longer than ${timeMsMax / 1000} s`)
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') return refused(`parsing needs more than ${memoryMibMax} MiB of memory`)
    throw error
  } finally {
    await worker.terminate()
  }
}

const refused = (problem: string): JudgedPriceBook => ({
  kind: 'refused',
  message: `The price list is invalid: ${problem}`,
  problems: [problem],
})
