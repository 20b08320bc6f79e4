import type { Batch } from '@plimsoll/contract'
import { readBody } from '../shape/encode.ts'
import { joinBatches } from '../shape/reshape.ts'

export function joined([first, ...rest]: readonly [Buffer, ...Buffer[]]): Batch {
  return rest.length === 0 ? readBody(first) : joinBatches([readBody(first), ...rest.map(readBody)])
}

/** The rows of the next piece. */
export function rowsOf(
  count: number,
  { cuts, done }: { readonly cuts: readonly number[]; readonly done: number },
): { from: number; to: number } {
  return { from: cuts[done - 1] ?? 0, to: cuts[done] ?? count }
}

/** Undefined if it throws, because files may contain anything. */
export function tried<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
