import type { Parsed } from './parsed.ts'

export type QuantityReason = 'not-a-quantity' | 'negative' | 'too-large'

/** Units in one core, one byte or one piece. */
export type Unit = { readonly numerator: number; readonly denominator: number }

export const millicores: Unit = { numerator: 1000, denominator: 1 }
export const kibibytes: Unit = { numerator: 1, denominator: 1024 }
export const wholes: Unit = { numerator: 1, denominator: 1 }

/** digits · 10^ten · 2^two */
type QuantityParts = { readonly digits: string; readonly ten: number; readonly two: number }

/**
 * A Kubernetes quantity in whole units, rounded up as Kubernetes does, so that a tiny request never becomes 0.
 * Undefined: not a quantity, negative, or too large for a number.
 */
export function parseQuantity(quantity: string | number | undefined, unit: Unit): number | undefined {
  if (quantity === undefined) return undefined
  const parts = readParts(String(quantity))
  return parts.kind === 'ok' ? scale(parts.value, unit) : undefined
}

/**
 * A Kubernetes quantity in billionths, the finest step of Kubernetes. Finer values are rounded up, as the API server
 * does, so that a tiny request never becomes 0.
 */
export function parseQuantityNano(text: string): Parsed<bigint, QuantityReason> {
  const parts = readParts(text)
  if (parts.kind === 'invalid') return parts
  const nano = scaleBig(parts.value, { numerator: 1_000_000_000, denominator: 1 })
  return nano > NANO_MAX ? { kind: 'invalid', reason: 'too-large', text } : { kind: 'ok', value: nano }
}

const LENGTH_MAX = 64

/** `1E` is one exa and `1E3` is a thousand: the exponent form wins only when digits follow. */
const GRAMMAR = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?$/

const TEN_EXPONENTS: Readonly<Record<string, number>> = {
  ...{ n: -9, u: -6, m: -3, '': 0 },
  ...{ k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
}

/** Kubernetes stores a quantity in 63 bits. */
const NANO_MAX = (2n ** 63n - 1n) * 1_000_000_000n

function readParts(text: string): Parsed<QuantityParts, QuantityReason> {
  const match = text.length <= LENGTH_MAX ? GRAMMAR.exec(text) : null
  const [, sign, whole = '', fraction = '', suffix = ''] = match ?? []
  const digits = whole + fraction
  if (digits === '') return { kind: 'invalid', reason: 'not-a-quantity', text }
  if (sign === '-' && /[1-9]/.test(digits)) return { kind: 'invalid', reason: 'negative', text }
  const { ten, two } = readSuffix(suffix)
  return { kind: 'ok', value: { digits, ten: ten - fraction.length, two } }
}

function readSuffix(suffix: string): { ten: number; two: number } {
  if (suffix.endsWith('i')) return { ten: 0, two: 10 * ('KMGTPE'.indexOf(suffix.charAt(0)) + 1) }
  return { ten: TEN_EXPONENTS[suffix] ?? Number(suffix.slice(1)), two: 0 }
}

/** Exact: with numbers while they are safe integers, else with bigint. */
function scale(parts: QuantityParts, unit: Unit): number | undefined {
  const { digits, ten, two } = parts
  const over = Number(digits) * 10 ** Math.max(0, ten) * 2 ** two * unit.numerator
  const under = 10 ** Math.max(0, -ten) * unit.denominator
  if (over <= Number.MAX_SAFE_INTEGER && under <= Number.MAX_SAFE_INTEGER) {
    const rest = over % under
    return (over - rest) / under + (rest === 0 ? 0 : 1)
  }
  const units = scaleBig(parts, unit)
  return units > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(units)
}

function scaleBig({ digits, ten, two }: QuantityParts, { numerator, denominator }: Unit): bigint {
  const over = BigInt(digits) * 10n ** BigInt(Math.max(0, ten)) * 2n ** BigInt(two) * BigInt(numerator)
  return divideUp(over, 10n ** BigInt(Math.max(0, -ten)) * BigInt(denominator))
}

export function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}
