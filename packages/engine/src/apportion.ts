export type Weighted = { readonly key: string; readonly weight: bigint }

/**
 * Cuts a whole into integer parts in proportion to the weights, so that the parts add up to the whole. What rounding leaves
 * goes to the largest remainders, equal ones in the order of their keys: the order of the input makes no difference.
 * Without any weight the parts are even; with nobody to give to, the answer is empty.
 */
export function apportion(whole: bigint, among: readonly Weighted[]): Map<string, bigint> {
  const sum = among.reduce((total, { weight }) => total + weight, 0n)
  const weightOf = sum === 0n ? () => 1n : ({ weight }: Weighted) => weight
  const divisor = sum === 0n ? BigInt(among.length) : sum

  const parts = among.map((one) => {
    const product = whole * weightOf(one)
    return { key: one.key, part: product / divisor, remainder: product % divisor }
  })
  const left = Number(whole - parts.reduce((total, { part }) => total + part, 0n))
  parts.sort((a, b) => compare(b.remainder, a.remainder) || compare(a.key, b.key))
  return new Map(parts.map(({ key, part }, index) => [key, index < left ? part + 1n : part]))
}

/** By code unit, not by locale: the same on every machine. */
export function compare<Value extends bigint | string>(a: Value, b: Value): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
