import { Type } from 'typebox'
import { Nullable } from './common.ts'

/** `as_of` is a time everywhere else, so dates have another name. */
export const asOfDateNote = 'A date, not a time: use `as_of_date` instead'

/** The source of a price. `nullBecause` states when there is no source. */
export const sourceFields = (nullBecause: string) => ({
  source: Nullable(Type.String(), `Source IDs in the price list, joined by \`;\`; null: ${nullBecause}`),
  as_of: Nullable(Type.String(), asOfDateNote),
  as_of_date: Type.Optional(
    Nullable(
      Type.String({ format: 'date' }),
      'Date of the price in the price list, never later than its latest source',
    ),
  ),
})
