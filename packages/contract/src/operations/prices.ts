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
    summary: 'List price lists, newest first',
    response: { 200: PriceBookList },
  }),

  loadPriceBook: operation('POST /api/v1/price-books', {
    access: 'billing:write',
    tag: 'Prices',
    summary: 'Load a newer price list',
    description: `The body is a compiled price list (\`npm run build:pricebook\`), as ${priceBookMediaType}. The price list applies from the current hour on; earlier hours keep their prices. A damaged, older or implausible price list is rejected, and \`problems\` lists the errors.`,
    body: CompiledBook,
    response: { 200: LoadedPriceBook, 201: LoadedPriceBook },
    bodyBytesMax: priceBookBytesMax,
  }),

  listPriceOverrides: operation('GET /api/v1/price-overrides', {
    access: 'billing:read',
    tag: 'Prices',
    summary: 'List price overrides, discounts and custom rates',
    query: ListPriceOverridesQuery,
    response: { 200: PriceOverrideList },
  }),

  createPriceOverride: operation('POST /api/v1/price-overrides', {
    access: 'billing:write',
    tag: 'Prices',
    summary: 'Create a price override, a discount or custom rates',
    description:
      'If several match a node, `node_price` takes precedence over `custom_rates`, and `custom_rates` over `discount`. Among overrides of the same kind, the most specific one applies: cluster, then region, provider, capacity type. After that, the latest start applies, then the newest override.',
    body: CreatePriceOverrideBody,
    response: { 201: PriceOverride },
  }),

  endPriceOverride: operation('DELETE /api/v1/price-overrides/:override_id', {
    access: 'billing:write',
    tag: 'Prices',
    summary: 'End a price override',
    description:
      'The override ends with the current hour, or at `from`; earlier hours keep their prices. If `from` equals the start of the override, the override is removed completely.',
    params: PriceOverrideParams,
    query: EndPriceOverrideQuery,
    response: { 204: NoContent },
  }),

  getPrices: operation('GET /api/v1/prices', {
    access: 'billing:read',
    tag: 'Prices',
    summary: 'Show the prices of nodes, volumes, load balancers and control plane, with their sources',
    query: PricesQuery,
    response: { 200: Prices },
  }),
}
