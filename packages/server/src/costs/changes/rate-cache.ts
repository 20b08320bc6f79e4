import type { NodeRates, Rate } from '@plimsoll/engine/pricing'
import type { Db } from '../../platform/db/database.ts'
import { cloudResourceRateOf, loadRates, nodeRatesOf, type RateRow } from '../../prices/index.ts'

export type CachedRate = {
  classKey: string
  node: NodeRates
  cloudResource: Rate
  /** Null without a price per node. */
  nodeUsdPerHour: string | null
}

/** Few rates price many rows, so each is read once. */
export class RateCache {
  readonly #tx: Db
  readonly #rates = new Map<string, CachedRate>()

  constructor(tx: Db) {
    this.#tx = tx
  }

  async load(rows: readonly { rateId: string }[]): Promise<void> {
    const missing = rows.map(({ rateId }) => rateId).filter((id) => !this.#rates.has(id))
    if (missing.length === 0) return
    for (const [id, row] of await loadRates(this.#tx, missing)) this.#rates.set(id, cached(row))
  }

  get(rateId: string): CachedRate {
    const found = this.#rates.get(rateId)
    if (!found) throw new Error(`the rate ${rateId} is missing`)
    return found
  }
}

const cached = (row: RateRow): CachedRate => ({
  classKey: row.class_key,
  node: nodeRatesOf(row),
  cloudResource: cloudResourceRateOf(row),
  nodeUsdPerHour: row.node_usd_per_hour,
})
