import { divideRounded, type Decimal } from '../decimal.ts'
import { addEffect, type EffectKey, type EffectSums } from './effect-key.ts'

/** An unrounded effect. The divisor is positive. */
export type Cell = { readonly key: EffectKey; readonly dividend: bigint; readonly divisor: bigint }

/**
 * Rounds each effect once. The largest effect takes the rounding rest, so that the effects add up to the difference.
 * Both rules treat a negated input alike, so that swapping the windows negates each effect.
 */
export function settle(cells: readonly Cell[], difference: Decimal): EffectSums {
  const sums: EffectSums = new Map()
  const amounts = cells.map(({ dividend, divisor }) => divideRounded(dividend, divisor))
  giveRest(amounts, difference)
  cells.forEach(({ key }, index) => addEffect(sums, key, amounts[index] ?? 0n))
  return sums
}

/** Changes the amount with the largest absolute value, the first of equals, so that the amounts add up to the whole. */
export function giveRest(amounts: bigint[], whole: bigint): void {
  const rest = whole - amounts.reduce((sum, amount) => sum + amount, 0n)
  if (rest === 0n || amounts.length === 0) return
  let largest = 0
  amounts.forEach((amount, index) => {
    if (absolute(amount) > absolute(amounts[largest] ?? 0n)) largest = index
  })
  amounts[largest] = (amounts[largest] ?? 0n) + rest
}

export const absolute = (value: bigint) => (value < 0n ? -value : value)
