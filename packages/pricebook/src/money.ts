/**
 * Money is an integer of nano-dollars (1e-9 USD) in a `number`. Every price of the sources has at most seven decimals,
 * and integers are exact up to 9 million dollars. Sums and products with counts are exact; ratios are rounded once.
 */
export const nanoPerUsd = 1_000_000_000

/** Parses "0.096" exactly. Rejects signs, exponents, blanks, more than nine decimals, and a million dollars or more. */
export function parseNanoUsd(text: string): number {
  const match = /^(\d{1,6})(?:\.(\d{1,9}))?$/.exec(text)
  if (!match) throw new RangeError(`'${text}' is not an amount in dollars with at most nine decimals`)
  const [, whole = '', decimals = ''] = match
  return Number(whole) * nanoPerUsd + Number(decimals.padEnd(9, '0'))
}

/** The exact decimal, without trailing zeros: 96000000 is "0.096". */
export function formatUsd(nanoUsd: number): string {
  if (!Number.isSafeInteger(nanoUsd) || nanoUsd < 0)
    throw new RangeError(`${nanoUsd} is not a whole number of nano-dollars`)
  const whole = Math.floor(nanoUsd / nanoPerUsd)
  const decimals = String(nanoUsd % nanoPerUsd)
    .padStart(9, '0')
    .replace(/(?<!0)0+$/, '')
  return decimals === '' ? String(whole) : `${whole}.${decimals}`
}
