import type { Batch } from '@plimsoll/contract'
import { readBody } from '../shape/encode.ts'
import { joinBatches } from '../shape/reshape.ts'

export function joined([first, ...rest]: readonly [Buffer, ...Buffer[]]): Batch {
  return rest.length === 0 ? readBody(first) : joinBatches([readBody(first), ...rest.map(readBody)])
}

/** The rows of the piece that is next. */
export function rowsOf(
  count: number,
  { cuts, done }: { readonly cuts: readonly number[]; readonly done: number },
): { from: number; to: number } {
  return { from: cuts[done - 1] ?? 0, to: cuts[done] ?? count }
}

/** Undefined where it throws: what is on a disk may be anything. */
export function tried<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
