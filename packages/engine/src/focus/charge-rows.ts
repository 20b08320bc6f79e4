import { SECONDS_PER_HOUR } from '../time.ts'
import type { FocusCharge, FocusRow, FocusShare } from './focus-row.ts'
import { focusMeters } from './meters.ts'

/** The number of decimals of a ratio. */
export const RATIO_PLACES = 12
const WHOLE = 10n ** BigInt(RATIO_PLACES)

export type BilledCost = 'none' | 'effective'

/** The rows of one meter of one origin. Shares of 0 have no row. */
export function chargeRows(charge: FocusCharge, shares: readonly FocusShare[], billed: BilledCost): FocusRow[] {
  const charged = shares.filter(({ quantity }) => quantity !== 0n)
  const ratios = ratiosOf(charged.map(({ quantity }) => quantity))
  const { list, contracted } = charge.price
  const perUnit = focusMeters[charge.meter].baseUnits * SECONDS_PER_HOUR
  return charged.map(({ owner, quantity, requested, used }, index) => {
    const effectiveCost = quantity * contracted
    return {
      charge,
      owner,
      quantity: Number(quantity) / perUnit,
      requested: requested === undefined ? null : Number(requested) / perUnit,
      used: used === undefined ? null : Number(used) / perUnit,
      listCost: list === contracted ? effectiveCost : quantity * list,
      contractedCost: effectiveCost,
      effectiveCost,
      billedCost: billed === 'effective' ? effectiveCost : 0n,
      ratio: ratios[index] ?? 0n,
    }
  })
}

/** Rounded down, and the largest part takes the rest, so that the parts add up to exactly 1. */
export function ratiosOf(quantities: readonly bigint[]): bigint[] {
  const sum = quantities.reduce((total, quantity) => total + quantity, 0n)
  if (sum === 0n) return quantities.map(() => 0n)
  const ratios = quantities.map((quantity) => (quantity * WHOLE) / sum)
  const largest = quantities.reduce((found, quantity, at) => (quantity > (quantities[found] ?? 0n) ? at : found), 0)
  const rest = ratios.reduce((left, ratio) => left - ratio, WHOLE)
  ratios[largest] = (ratios[largest] ?? 0n) + rest
  return ratios
}

/** USD for one unit of the meter and hour. */
export const unitPriceOf = (usdPerUnitSecond: bigint, { meter }: FocusCharge): bigint =>
  usdPerUnitSecond * BigInt(focusMeters[meter].baseUnits * SECONDS_PER_HOUR)

/** In text, with all its decimals. */
export function ratioText(ratio: bigint): string {
  const digits = ratio.toString().padStart(RATIO_PLACES + 1, '0')
  return `${digits.slice(0, -RATIO_PLACES)}.${digits.slice(-RATIO_PLACES)}`
}
