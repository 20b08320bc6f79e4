import { ONE, parseDecimal, type Decimal, type DecimalReason } from '../decimal.ts'
import type { Parsed } from '../parsed.ts'

export type PriceUnit = keyof typeof USD_MAX

/** A price that somebody typed or a table held. Negative and absurd ones are refused; 0 is a price. */
export function parsePrice(input: string | number, unit: PriceUnit): Parsed<Decimal, PriceReason> {
  const text = String(input)
  const parsed = parseDecimal(text)
  if (parsed.kind === 'invalid') return parsed
  if (parsed.value < 0n) return { kind: 'invalid', reason: 'negative', text }
  if (parsed.value > BigInt(USD_MAX[unit]) * ONE) return { kind: 'invalid', reason: 'absurd', text }
  return parsed
}

export type PriceReason = DecimalReason | 'negative' | 'absurd'

/**
 * Some ten times the dearest thing on any list. Wide enough for every real price, and narrow enough that a price multiplied
 * by bytes instead of GiB does not pass.
 */
const USD_MAX = {
  nodeHour: 10_000,
  vcpuHour: 100,
  gibHour: 100,
  gpuHour: 1_000,
  vcpuMonth: 73_000,
  gibMonth: 73_000,
  gpuMonth: 730_000,
  storageGibMonth: 100,
  diskMonth: 1_000_000,
  assetHour: 10_000,
}

/** Percentages of 0 to 100; a surcharge is a price of its own and not a negative discount. */
export function parsePercent(input: string | number): Parsed<Decimal, PriceReason> {
  const text = String(input)
  const parsed = parseDecimal(text)
  if (parsed.kind === 'invalid') return parsed
  if (parsed.value < 0n) return { kind: 'invalid', reason: 'negative', text }
  if (parsed.value > 100n * ONE) return { kind: 'invalid', reason: 'absurd', text }
  return parsed
}
