import { Type } from 'typebox'
import { Nullable } from './common.ts'

/** `as_of` is a time everywhere else, so dates have a name of their own. */
export const asOfDateNote = 'A date, not a time: read `as_of_date` instead'

/** Where a price is from. `nullBecause` says when there is no such source. */
export const sourceFields = (nullBecause: string) => ({
  source: Nullable(
    Type.String(),
    `Where the price book has it from: ids of its sources, joined by \`;\`; null: ${nullBecause}`,
  ),
  as_of: Nullable(Type.String(), asOfDateNote),
  as_of_date: Type.Optional(
    Nullable(
      Type.String({ format: 'date' }),
      'The day of the price: the date that the price book has beside it, and never newer than the newest of its sources',
    ),
  ),
})
