import { Type } from 'typebox'
import { Nullable } from './common.ts'

/** Where a price is from. `nullBecause` says when there is no such source. */
export const sourceFields = (nullBecause: string) => ({
  source: Nullable(
    Type.String(),
    `Where the price book has it from: ids of its sources, joined by \`;\`; null: ${nullBecause}`,
  ),
  as_of: Nullable(
    Type.String(),
    'Of when the price is: the date that the price book has beside it, and never newer than the newest of its sources',
  ),
})
