import type { Parsed } from './parsed.ts'

export type QuantityReason = 'not-a-quantity' | 'negative' | 'too-large'

/**
 * A Kubernetes quantity in billionths, the finest step that Kubernetes itself knows. Anything finer is rounded up, as the
 * API server does, so a tiny request never turns into none.
 */
export function parseQuantityNano(text: string): Parsed<bigint, QuantityReason> {
  const match = text.length <= LENGTH_MAX ? GRAMMAR.exec(text) : null
  if (!match) return { kind: 'invalid', reason: 'not-a-quantity', text }

  const [, sign, whole = '', fraction = '', suffix = ''] = match
  if (whole + fraction === '') return { kind: 'invalid', reason: 'not-a-quantity', text }

  const digits = BigInt(whole + fraction)
  if (sign === '-' && digits > 0n) return { kind: 'invalid', reason: 'negative', text }

  const { exponent, factor } = readSuffix(suffix)
  const nano = scaleByTen(digits * factor, exponent + 9 - fraction.length)
  return nano > NANO_MAX ? { kind: 'invalid', reason: 'too-large', text } : { kind: 'ok', value: nano }
}

const LENGTH_MAX = 64

/** `1E` is one exa and `1E3` is a thousand: the exponent form wins only when digits follow. */
const GRAMMAR = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?$/

const TEN_EXPONENTS: Readonly<Record<string, number>> = {
  ...{ n: -9, u: -6, m: -3 },
  ...{ k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
}

/** Kubernetes keeps a quantity in 63 bits. */
const NANO_MAX = (2n ** 63n - 1n) * 1_000_000_000n

function readSuffix(suffix: string): { exponent: number; factor: bigint } {
  if (suffix.endsWith('i')) return { exponent: 0, factor: 1024n ** BigInt('KMGTPE'.indexOf(suffix.charAt(0)) + 1) }
  return { exponent: TEN_EXPONENTS[suffix] ?? Number(suffix.slice(1)), factor: 1n }
}

function scaleByTen(value: bigint, exponent: number): bigint {
  return exponent >= 0 ? value * 10n ** BigInt(exponent) : divideUp(value, 10n ** BigInt(-exponent))
}

export function divideUp(value: bigint, divisor: bigint): bigint {
  return (value + divisor - 1n) / divisor
}
