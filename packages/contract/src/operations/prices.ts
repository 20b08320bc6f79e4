import { NoContent } from '../schemas/common.ts'
import { PriceOverrideParams } from '../schemas/path-params.ts'
import {
  CompiledBook,
  LoadedPriceBook,
  PriceBookList,
  priceBookBytesMax,
  priceBookMediaType,
} from '../schemas/price-books.ts'
import {
  CreatePriceOverrideBody,
  EndPriceOverrideQuery,
  ListPriceOverridesQuery,
  PriceOverride,
  PriceOverrideList,
} from '../schemas/price-overrides.ts'
import { Prices, PricesQuery } from '../schemas/prices.ts'
import { operation } from './operation.ts'

export const priceOperations = {
  listPriceBooks: operation('GET /api/v1/price-books', {
    access: 'billing:read',
    tag: 'Prices',
    summary: 'List the price books there were, newest first',
    response: { 200: PriceBookList },
  }),

  loadPriceBook: operation('POST /api/v1/price-books', {
    access: 'billing:write',
    tag: 'Prices',
    summary: 'Load a newer price book',
    description: `The body is a compiled book (\`npm run build:pricebook\`), as ${priceBookMediaType}. It is used from this hour on; hours before keep the prices of the book before. One that is damaged, older or not believable is refused, and \`problems\` says all that is wrong with it.`,
    body: CompiledBook,
    response: { 200: LoadedPriceBook, 201: LoadedPriceBook },
    bodyBytesMax: priceBookBytesMax,
  }),

  listPriceOverrides: operation('GET /api/v1/price-overrides', {
    access: 'billing:read',
    tag: 'Prices',
    summary: 'List prices, discounts and rates that somebody set',
    query: ListPriceOverridesQuery,
    response: { 200: PriceOverrideList },
  }),

  createPriceOverride: operation('POST /api/v1/price-overrides', {
    access: 'billing:write',
    tag: 'Prices',
    summary: 'Set a price, a discount or rates',
    description:
      'Of several that concern a node, a `node_price` beats `custom_rates`, and those beat a `discount`; among equals the one that says more wins (cluster, region, provider, capacity type), then the one that began last, then the newest.',
    body: CreatePriceOverrideBody,
    response: { 201: PriceOverride },
  }),

  endPriceOverride: operation('DELETE /api/v1/price-overrides/:override_id', {
    access: 'billing:write',
    tag: 'Prices',
    summary: 'End a price override',
    description:
      'From this hour on the price is what it would be without it, and hours before keep theirs. With `from`, from that hour on; with the hour it began, as if it had never been.',
    params: PriceOverrideParams,
    query: EndPriceOverrideQuery,
    response: { 204: NoContent },
  }),

  getPrices: operation('GET /api/v1/prices', {
    access: 'billing:read',
    tag: 'Prices',
    summary: "What a cluster's nodes, volumes, balancers and control plane are priced at and why",
    query: PricesQuery,
    response: { 200: Prices },
  }),
}
