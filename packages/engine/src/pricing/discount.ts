import { divideRounded, ONE, type Decimal } from '../decimal.ts'

export function discounted(usd: Decimal, percent: Decimal): Decimal {
  return divideRounded(usd * (100n * ONE - percent), 100n * ONE)
}
