import { readFile, type open } from 'node:fs/promises'
import { join } from 'node:path'
import { frame, scan } from './frame.ts'
import { replaceFile } from './replace-file.ts'

/** Positions from `first` up to, but not including, `end`. */
export type Range = { readonly first: number; readonly end: number }

/** All positions up to `through` are acknowledged, and also these later ranges, whose files are deleted. */
export type Pointer = { readonly through: number; readonly removed: readonly Range[] }

const fileName = 'pointer'
const numberBytes = 8

export function writePointer(directory: string, { through, removed }: Pointer, openFile: typeof open): Promise<void> {
  const numbers = [through, ...removed.flatMap(({ first, end }) => [first, end])]
  const bytes = Buffer.alloc(numbers.length * numberBytes)
  numbers.forEach((number, index) => bytes.writeBigUInt64LE(BigInt(number), index * numberBytes))
  return replaceFile(join(directory, fileName), frame(bytes), openFile)
}

/** An unreadable pointer counts as absent: then all stored records are sent again. */
export async function readPointer(directory: string): Promise<Pointer> {
  const bytes = await readFile(join(directory, fileName)).catch(() => Buffer.alloc(0))
  const [record] = scan(bytes).records
  if (!record || record.length % (2 * numberBytes) !== numberBytes) return { through: 0, removed: [] }
  const at = (index: number) => Number(bytes.readBigUInt64LE(record.offset + index * numberBytes))
  const ranges = (record.length / numberBytes - 1) / 2
  const removed = Array.from({ length: ranges }, (_, index) => ({ first: at(2 * index + 1), end: at(2 * index + 2) }))
  return { through: at(0), removed: withRanges([], removed) }
}

/** Adds the new ranges. A range may repeat if its file could not be deleted. */
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
