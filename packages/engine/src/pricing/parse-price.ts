import { ONE, parseDecimal, type Decimal, type DecimalReason } from '../decimal.ts'
import type { Parsed } from '../parsed.ts'

export type PriceUnit = keyof typeof USD_MAX

/** A price from user input or a table. Negative and implausible prices are rejected; 0 is a price. */
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
 * About ten times the highest list price. Every real price passes, and a price per byte instead of per GiB does not.
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

/** Percentages from 0 to 100. A surcharge is a separate price, not a negative discount. */
export function parsePercent(input: string | number): Parsed<Decimal, PriceReason> {
  const text = String(input)
  const parsed = parseDecimal(text)
  if (parsed.kind === 'invalid') return parsed
  if (parsed.value < 0n) return { kind: 'invalid', reason: 'negative', text }
  if (parsed.value > 100n * ONE) return { kind: 'invalid', reason: 'absurd', text }
  return parsed
}
