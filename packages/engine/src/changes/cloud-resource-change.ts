import type { Decimal } from '../decimal.ts'
import { effectKey, type EffectSums } from './effect-key.ts'
import { hoursCells, presenceCells, singleCells, type Comparison, type Pair } from './known-time.ts'
import { quantityAndPriceCells, type Priced } from './quantity-change.ts'
import { settle, type Cell } from './settle.ts'
import type { CostPart } from '../vocabulary/changes.ts'

/** The volumes, load balancers or control planes of one class and one owner. */
export type CloudResourceChange = {
  readonly part: Exclude<CostPart, 'compute' | 'idle'>
  readonly classKey: string
  readonly units: Pair<Priced>
}

export function cloudResourceEffects(change: CloudResourceChange, comparison: Comparison): EffectSums {
  return settle(cloudResourceCells(change, comparison), change.units.now.usd - change.units.before.usd)
}

export function cloudResourceCells(change: CloudResourceChange, comparison: Comparison): Cell[] {
  const { part, classKey, units } = change
  const usd: Pair<Decimal> = { before: units.before.usd, now: units.now.usd }
  if (comparison.kind === 'single') return singleCells(part, usd, comparison.effect)
  const hours = hoursCells(part, usd, comparison)
  if (units.before.quantity === 0n || units.now.quantity === 0n) {
    return [...hours, ...presenceCells(part, usd, comparison)]
  }
  const keys = { quantity: effectKey(part, 'size', classKey), price: effectKey(part, 'price', classKey) }
  return [...hours, ...quantityAndPriceCells(units, comparison, keys)]
}
