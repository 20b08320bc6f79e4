import { readFile, type open } from 'node:fs/promises'
import { join } from 'node:path'
import { frame, scan } from './frame.ts'
import { replaceFile } from './replace-file.ts'

/** Positions from `first` to before `end`. */
export type Range = { readonly first: number; readonly end: number }

/** Everything up to `through` is acknowledged, and so are these ranges behind it, whose files are gone or about to be. */
export type Pointer = { readonly through: number; readonly removed: readonly Range[] }

const fileName = 'pointer'
const numberBytes = 8

export function writePointer(directory: string, { through, removed }: Pointer, openFile: typeof open): Promise<void> {
  const numbers = [through, ...removed.flatMap(({ first, end }) => [first, end])]
  const bytes = Buffer.alloc(numbers.length * numberBytes)
  numbers.forEach((number, index) => bytes.writeBigUInt64LE(BigInt(number), index * numberBytes))
  return replaceFile(join(directory, fileName), frame(bytes), openFile)
}

/** Unreadable is like absent: then everything that is there comes again. */
export async function readPointer(directory: string): Promise<Pointer> {
  const bytes = await readFile(join(directory, fileName)).catch(() => Buffer.alloc(0))
  const [record] = scan(bytes).records
  if (!record || record.length % (2 * numberBytes) !== numberBytes) return { through: 0, removed: [] }
  const at = (index: number) => Number(bytes.readBigUInt64LE(record.offset + index * numberBytes))
  const ranges = (record.length / numberBytes - 1) / 2
  const removed = Array.from({ length: ranges }, (_, index) => ({ first: at(2 * index + 1), end: at(2 * index + 2) }))
  return { through: at(0), removed: withRanges([], removed) }
}

/** With those that are not in it yet; a file that could not be removed is told of again. */
export function withRanges(known: readonly Range[], more: readonly Range[]): Range[] {
  const ranges = [...known]
  for (const { first, end } of more) {
    const isKnown = ranges.some((range) => range.first <= first && end <= range.end)
    if (end > first && !isKnown) ranges.push({ first, end })
  }
  return ranges
}

export const isAcknowledged = ({ through, removed }: Pointer, position: number) =>
  position <= through || removed.some(({ first, end }) => first <= position && position < end)
