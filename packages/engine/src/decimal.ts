import type { Parsed } from './parsed.ts'

/**
 * An exact decimal of 24 places: the value times 10²⁴. Sums need no care about order, and an integer times a rate is exact.
 *
 * Why 24: a rate is the price of one microcore, KiB or part for one second, about 1e-12 USD. Rounding it at 24 places moves
 * the hourly cost of a node with 24 TiB of memory by less than 5e-11 USD; at 18 places it would be 5e-5.
 */
export type Decimal = bigint

export const DECIMAL_PLACES = 24
export const ONE: Decimal = 10n ** BigInt(DECIMAL_PLACES)

export type DecimalReason = 'not-a-number' | 'too-precise' | 'too-large'

export function parseDecimal(text: string): Parsed<Decimal, DecimalReason> {
  const match = text.length <= 64 ? /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) : null
  if (!match) return { kind: 'invalid', reason: 'not-a-number', text }

  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  // Most values come from the database without an exponent, and answers of large clusters have a million of them.
  if (exponent === '0' && fraction.length <= DECIMAL_PLACES) {
    const value = BigInt(whole + fraction.padEnd(DECIMAL_PLACES, '0'))
    return { kind: 'ok', value: sign === '-' ? -value : value }
  }
  const places = DECIMAL_PLACES - fraction.length + Number(exponent)
  if (places > 2 * DECIMAL_PLACES) return { kind: 'invalid', reason: 'too-large', text }

  const digits = BigInt(whole + fraction)
  const divisor = 10n ** BigInt(Math.max(0, -places))
  if (digits % divisor !== 0n) return { kind: 'invalid', reason: 'too-precise', text }

  const scaled = (digits / divisor) * 10n ** BigInt(Math.max(0, places))
  return { kind: 'ok', value: sign === '-' ? -scaled : scaled }
}

/** For constants in the code: an invalid constant is a bug and throws. */
export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text)
  if (parsed.kind === 'invalid') throw new Error(`'${text}' is not a decimal: ${parsed.reason}`)
  return parsed.value
}

/** All digits, in the format of the PostgreSQL type numeric. */
export function formatDecimal(value: Decimal): string {
  return withPoint(value, DECIMAL_PLACES).replace(/\.0+$|(?<!0)0+$/, '')
}

/** The only rounding, used for output: half away from zero, like `round` of PostgreSQL. */
export function roundDecimal(value: Decimal, places = 6): string {
  return withPoint(divideRounded(value, 10n ** BigInt(DECIMAL_PLACES - places)), places)
}

export function roundToNumber(value: Decimal, places = 6): number {
  return Number(roundDecimal(value, places))
}

/** `dividend / divisor`, half away from zero; the divisor is positive. */
export function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const half = dividend < 0n ? -divisor : divisor
  return (2n * dividend + half) / (2n * divisor)
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return divideRounded(a * b, ONE)
}

function withPoint(scaled: bigint, places: number): string {
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(places + 1, '0')
  const sign = scaled < 0n ? '-' : ''
  if (places === 0) return sign + digits
  return `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`
}
