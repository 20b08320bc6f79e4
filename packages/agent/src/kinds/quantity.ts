/** How many units are in one core, one byte or one piece. */
export type Unit = { readonly numerator: number; readonly denominator: number }

/** 1000 of them are a core. */
export const millicores: Unit = { numerator: 1000, denominator: 1 }
export const tenthsOfMillicores: Unit = { numerator: 10_000, denominator: 1 }
export const kibibytes: Unit = { numerator: 1, denominator: 1024 }
export const wholes: Unit = { numerator: 1, denominator: 1 }

/**
 * A Kubernetes quantity in whole units, rounded up as Kubernetes does, so that a tiny request never turns into none. Undefined:
 * it is none, is negative, or is more than a number can hold.
 */
export function parseQuantity(quantity: string | number | undefined, unit: Unit): number | undefined {
  if (quantity === undefined) return undefined
  const text = typeof quantity === 'number' ? String(quantity) : quantity
  const match = text.length <= lengthMax ? grammar.exec(text) : null
  if (!match) return undefined
  const [, sign, whole = '', fraction = '', suffix = ''] = match
  const digits = whole + fraction
  if (digits === '' || (sign === '-' && /[1-9]/.test(digits))) return undefined
  const { ten, two } = readSuffix(suffix)
  return scale(digits, ten - fraction.length, two, unit)
}

const lengthMax = 64

/** `1E` is one exa and `1E3` is a thousand: the exponent form wins only when digits follow. */
const grammar = /^([+-]?)(\d*)(?:\.(\d*))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,2})?$/

const tens: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18, '': 0 }

function readSuffix(suffix: string): { ten: number; two: number } {
  if (suffix.endsWith('i')) return { ten: 0, two: 10 * ('KMGTPE'.indexOf(suffix.charAt(0)) + 1) }
  return { ten: tens[suffix] ?? Number(suffix.slice(1)), two: 0 }
}

/** digits · 10^ten · 2^two · unit, exactly: with numbers while they are whole, else with big ones. */
function scale(digits: string, ten: number, two: number, { numerator, denominator }: Unit): number | undefined {
  const over = Number(digits) * 10 ** Math.max(0, ten) * 2 ** two * numerator
  const under = 10 ** Math.max(0, -ten) * denominator
  if (over <= Number.MAX_SAFE_INTEGER && under <= Number.MAX_SAFE_INTEGER) {
    const rest = over % under
    return (over - rest) / under + (rest === 0 ? 0 : 1)
  }
  const bigOver = BigInt(digits) * 10n ** BigInt(Math.max(0, ten)) * 2n ** BigInt(two) * BigInt(numerator)
  const bigUnder = 10n ** BigInt(Math.max(0, -ten)) * BigInt(denominator)
  const units = (bigOver + bigUnder - 1n) / bigUnder
  return units > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(units)
}
