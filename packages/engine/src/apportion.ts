export type Weighted = { readonly key: string; readonly weight: bigint }

/**
 * Splits a whole into integer parts in proportion to the weights. The parts add up to the whole. The rounding rest goes
 * to the largest remainders, ties by key, so the input order does not matter. Without any weight the parts are even.
 * Without receivers the result is empty.
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
