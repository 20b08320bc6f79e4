import { valueAt } from './columns.ts'
import type { ShareColumns } from './fleet.ts'
import { cornerAt } from './frontier.ts'

/**
 * The result for the fleet: one price of shortage for all. If a request jumps at exactly that price, it is between
 * `below` and `above` by `part`, so that the total meets the budget. `headroom` above 1 spends the rest if all maxima
 * together cost less.
 */
export type Solution = {
  readonly price: number
  readonly above: number
  readonly part: number
  readonly headroom: number
  readonly spent: number
}

const LOWEST_PRICE = 1e-3
const HIGHEST_PRICE = 1e7
/** Bisection steps of the logarithm: enough that only ties remain between the two ends. */
const PRICE_STEPS = 45
const HEADROOM_MAX = 1e4
const HEADROOM_STEPS = 60

export function solveTotal(shares: ShareColumns, total: number): Solution {
  if (totalAt(shares, HIGHEST_PRICE, 1) <= total) return spendRest(shares, total)
  const brackets = makeBrackets(shares)
  let low = LOWEST_PRICE
  let high = HIGHEST_PRICE
  for (let step = 0; step < PRICE_STEPS; step++) {
    const middle = Math.sqrt(low * high)
    const isAffordable = totalWithin(shares, brackets, middle) <= total
    if (isAffordable) low = middle
    else high = middle
    // The other half is excluded, so the range of each container soon has one or two corners.
    ;(isAffordable ? brackets.low : brackets.high).set(brackets.middle)
  }
  const below = totalAt(shares, low, 1)
  const above = totalAt(shares, high, 1)
  const part = above > below ? Math.min(1, Math.max(0, (total - below) / (above - below))) : 0
  return { price: low, above: high, part, headroom: 1, spent: below + part * (above - below) }
}

/** Per container: the corners around its optimum, and the corner at the last price. */
type Brackets = { readonly low: Uint32Array; readonly high: Uint32Array; readonly middle: Uint32Array }

function makeBrackets({ firstCorner, replicas: { length } }: ShareColumns): Brackets {
  return {
    low: Uint32Array.from({ length }, (_, index) => valueAt(firstCorner, index)),
    high: Uint32Array.from({ length }, (_, index) => valueAt(firstCorner, index + 1) - 1),
    middle: new Uint32Array(length),
  }
}

function totalWithin(shares: ShareColumns, { low, high, middle }: Brackets, price: number): number {
  const prices = shares.cornerPrice.values
  let total = 0
  for (let index = 0; index < middle.length; index++) {
    const from = low[index] ?? 0
    const to = high[index] ?? 0
    const corner = from === to ? from : cornerAt(prices, from, to + 1, price)
    middle[index] = corner
    const units = Math.max(valueAt(shares.floor, index), valueAt(shares.cornerUnits, corner))
    total += valueAt(shares.replicas, index) * units
  }
  return total
}

/** The request of the i-th container, in units. */
export function requestAt(shares: ShareColumns, index: number, { price, above, part, headroom }: Solution): number {
  const below = requestAtPrice(shares, index, price, headroom)
  return part === 0 ? below : (1 - part) * below + part * requestAtPrice(shares, index, above, headroom)
}

function spendRest(shares: ShareColumns, total: number): Solution {
  let low = 1
  let high = HEADROOM_MAX
  for (let step = 0; step < HEADROOM_STEPS; step++) {
    const middle = Math.sqrt(low * high)
    if (totalAt(shares, HIGHEST_PRICE, middle) <= total) low = middle
    else high = middle
  }
  const spent = totalAt(shares, HIGHEST_PRICE, low)
  return { price: HIGHEST_PRICE, above: HIGHEST_PRICE, part: 0, headroom: low, spent }
}

function totalAt(shares: ShareColumns, price: number, headroom: number): number {
  let total = 0
  for (let index = 0; index < shares.replicas.length; index++) {
    total += valueAt(shares.replicas, index) * requestAtPrice(shares, index, price, headroom)
  }
  return total
}

function requestAtPrice(shares: ShareColumns, index: number, price: number, headroom: number): number {
  const from = valueAt(shares.firstCorner, index)
  const to = valueAt(shares.firstCorner, index + 1)
  const corner = cornerAt(shares.cornerPrice.values, from, to, price)
  return Math.max(valueAt(shares.floor, index), headroom * valueAt(shares.cornerUnits, corner))
}
