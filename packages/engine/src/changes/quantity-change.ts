import { type Decimal } from '../decimal.ts'
import type { EffectKey } from './effect-key.ts'
import type { Comparison, Pair } from './known-time.ts'
import type { Cell } from './settle.ts'

/** A quantity in unit-seconds and its cost. */
export type Priced = { readonly quantity: bigint; readonly usd: Decimal }

export const NOTHING: Priced = { quantity: 0n, usd: 0n }

export const addPriced = (a: Priced, b: Priced): Priced => ({ quantity: a.quantity + b.quantity, usd: a.usd + b.usd })

/** Mean price of both windows, as a fraction. A window without the quantity takes the price of the other window. */
export function meanPrice({ before, now }: Pair<Priced>): { dividend: bigint; divisor: bigint } {
  if (before.quantity === 0n) return { dividend: now.usd, divisor: now.quantity === 0n ? 1n : now.quantity }
  if (now.quantity === 0n) return { dividend: before.usd, divisor: before.quantity }
  return {
    dividend: before.usd * now.quantity + now.usd * before.quantity,
    divisor: 2n * before.quantity * now.quantity,
  }
}

type Scaled = Extract<Comparison, { kind: 'scaled' }>

/** Difference of the quantity × mean price, and mean quantity × difference of the price. */
export function quantityAndPriceCells(
  pair: Pair<Priced>,
  { scale, divisor }: Scaled,
  keys: { quantity: EffectKey; price: EffectKey },
): Cell[] {
  const { before, now } = pair
  const price = meanPrice(pair)
  const [scaledBefore, scaledNow] = [before.quantity * scale.before, now.quantity * scale.now]
  const ofQuantity = (scaledNow - scaledBefore) * price.dividend
  const cells: Cell[] = []
  if (ofQuantity !== 0n) cells.push({ key: keys.quantity, dividend: ofQuantity, divisor: divisor * price.divisor })
  const rise = now.usd * before.quantity - before.usd * now.quantity
  if (rise !== 0n && before.quantity !== 0n && now.quantity !== 0n) {
    const dividend = (scaledBefore + scaledNow) * rise
    cells.push({ key: keys.price, dividend, divisor: 2n * divisor * before.quantity * now.quantity })
  }
  return cells
}
