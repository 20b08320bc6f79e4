import { Type, type Static } from 'typebox'
import { Timestamp } from './common.ts'
import { asOfDateNote } from './price-source.ts'

/** Three times the size of the released price list. Parsing a larger file would block the event loop for too long. */
export const priceBookBytesMax = 1024 * 1024

export const priceBookMediaType = 'application/octet-stream'

/** Validated by the price list parser, which does not trust the input. */
export const CompiledBook = Type.Unsafe<Uint8Array>({
  title: 'CompiledPriceBook',
  description: 'Made by `npm run build:pricebook`',
  contentMediaType: priceBookMediaType,
  'x-file': 'pricebook.json.br',
})

const priceBookFields = {
  version: Type.String({ examples: ['2026-08-22-0123456789ab'] }),
  as_of: Type.String({ format: 'date', description: asOfDateNote }),
  as_of_date: Type.String({ format: 'date', description: 'Date of its latest price' }),
  origin: Type.Unsafe<'release' | 'loaded'>({
    type: 'string',
    enum: ['release', 'loaded'],
    description: '`release`: included in a release · `loaded`: loaded through the API',
  }),
  loaded_at: Timestamp,
  effective_from: Type.String({
    ...Timestamp,
    description: 'Earlier hours keep the prices of the previous price list',
  }),
  size_bytes: Type.Integer(),
  in_use: Type.Boolean(),
}

export const PriceBookEntry = Type.Object(priceBookFields, { title: 'PriceBook' })

export const LoadedPriceBook = Type.Object(
  {
    ...priceBookFields,
    changes: Type.Object(
      { added: Type.Integer(), removed: Type.Integer(), changed: Type.Integer(), same: Type.Integer() },
      { description: 'On-demand instance prices, compared with the previous price list' },
    ),
  },
  { title: 'LoadedPriceBook' },
)

export const PriceBookList = Type.Object({ price_books: Type.Array(PriceBookEntry) }, { title: 'PriceBookList' })

export type PriceBookEntry = Static<typeof PriceBookEntry>
export type LoadedPriceBook = Static<typeof LoadedPriceBook>
