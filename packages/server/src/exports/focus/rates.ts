import { RESOURCES, type Resource } from '@plimsoll/engine'
import type { FocusOrigin, FocusPrice } from '@plimsoll/engine/focus'
import type { Rate } from '@plimsoll/engine/pricing'
import {
  classRates,
  cloudResourcePrice,
  describeClass,
  parseClassKey,
  parseCloudResourceKey,
} from '@plimsoll/pipeline/prices'
import { cloudResourceRateOf, loadRates, nodeRatesOf, type RateRow } from '../../prices/index.ts'
import type { PriceBookSource } from '../../platform/background.ts'
import type { Db } from '../../platform/db/database.ts'

/** A stored rate with its prices in the price list. Undefined: not priced. */
export type FocusRate = {
  origin: FocusOrigin
  prices: Partial<Record<Resource | 'unit', FocusPrice>>
}

/** The rates of an export, each read once. */
export class FocusRates {
  readonly #tx: Db
  readonly #prices: PriceBookSource
  readonly #known = new Map<string, FocusRate>()

  constructor(tx: Db, prices: PriceBookSource) {
    this.#tx = tx
    this.#prices = prices
  }

  async load(rateIds: Iterable<string>): Promise<void> {
    const missing = [...new Set(rateIds)].filter((id) => !this.#known.has(id))
    if (missing.length === 0) return
    for (const [id, row] of await loadRates(this.#tx, missing)) this.#known.set(id, await this.#read(row))
  }

  of(rateId: string): FocusRate {
    const rate = this.#known.get(rateId)
    if (!rate) throw new Error(`rate ${rateId} does not exist`)
    return rate
  }

  async #read(row: RateRow): Promise<FocusRate> {
    const cloudResource = parseCloudResourceKey(row.class_key)
    if (cloudResource) {
      const listed = await this.#listed(row, (book) => cloudResourcePrice(book, cloudResource).rate)
      const unit = priceOf(cloudResourceRateOf(row), listed)
      const { asset, provider, ...facts } = cloudResource
      const name = [provider, ...Object.values(facts)].filter((part) => part !== '').join(' ')
      const region = 'region' in facts && facts.region !== '' ? facts.region : null
      const type = { volume: 'Volume class', balancer: 'Load balancer class', control_plane: 'Control plane' }[asset]
      const ids = { id: row.class_key, skuId: row.class_key, skuPriceId: `rate-${row.rate_id}` }
      return { origin: { ...ids, name, type, region, isSpot: false }, prices: unit === undefined ? {} : { unit } }
    }
    return this.#readNode(row)
  }

  async #readNode(row: RateRow): Promise<FocusRate> {
    const facts = parseClassKey(row.class_key)
    const own = nodeRatesOf(row)
    const listed = await this.#listed(row, (book) => classRates(book, facts).rates)
    const prices: FocusRate['prices'] = {}
    for (const resource of RESOURCES) {
      const price = priceOf(own[resource], listed?.[resource])
      if (price) prices[resource] = price
    }
    const { region, capacityType } = facts.query
    return {
      origin: {
        ...{ id: row.class_key, name: describeClass(row.class_key), type: 'Node class' },
        ...{ region: region === '' ? null : region, isSpot: capacityType === 'spot' },
        ...{ skuId: row.class_key, skuPriceId: `rate-${row.rate_id}` },
      },
      prices,
    }
  }

  /** By the price list alone. Undefined: no override applies, so that the rate is the price of the list. */
  async #listed<Rates>({ evidence }: RateRow, ratesIn: (book: Awaited<ReturnType<PriceBookSource['load']>>) => Rates) {
    if (typeof evidence.override !== 'string' || typeof evidence.book !== 'string') return undefined
    return ratesIn(await this.#prices.load(this.#tx, evidence.book))
  }
}

/** Without a list price, the list cost is the contracted cost: FOCUS requires a list cost. */
function priceOf(rate: Rate, listed: Rate | undefined): FocusPrice | undefined {
  if (rate.kind === 'unpriced') return undefined
  const contracted = rate.usdPerUnitSecond
  return { contracted, list: listed?.kind === 'priced' ? listed.usdPerUnitSecond : contracted }
}
