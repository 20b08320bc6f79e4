/** Values to pixels. */
export const linear =
  ([low, high]: readonly [number, number], [from, to]: readonly [number, number]) =>
  (value: number) =>
    high === low ? from : from + ((value - low) / (high - low)) * (to - from)

/** In tenfold steps, so that small and large stand in one picture. What is below the range lies at its foot. */
export function logarithmic([low, high]: readonly [number, number], range: readonly [number, number]) {
  const at = linear([Math.log10(low), Math.log10(high)], range)
  return (value: number) => at(Math.log10(Math.max(low, value)))
}

/** The powers of ten from below the smallest to the largest. */
export function decades(smallest: number, largest: number): number[] {
  const first = Math.floor(Math.log10(smallest))
  const last = Math.max(first, Math.floor(Math.log10(largest)))
  return Array.from({ length: last - first + 1 }, (_each, index) => Number((10 ** (first + index)).toPrecision(6)))
}

/** About `count` round steps that cover the values. */
export function ticks(low: number, high: number, count: number): number[] {
  if (high <= low) return [low]
  const rough = (high - low) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? 10 * power
  const first = Math.floor(low / step) * step
  const all: number[] = []
  for (let at = first; at < high + step; at += step) all.push(Number(at.toPrecision(12)))
  return all
}

type Point = readonly [x: number, y: number]

export const linePath = (points: readonly Point[]) =>
  points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('')

/** Stretches without a gap: what is not known is not joined up. */
export function unbroken<Value>(values: readonly (Value | null)[]): { index: number; value: Value }[][] {
  const stretches: { index: number; value: Value }[][] = []
  let open: { index: number; value: Value }[] | null = null
  values.forEach((value, index) => {
    if (value === null) open = null
    else if (open) open.push({ index, value })
    else stretches.push((open = [{ index, value }]))
  })
  return stretches
}

/** Between two lines, the upper one from left to right and the lower one back. */
export const areaPath = (upper: readonly Point[], lower: readonly Point[]) =>
  `${linePath(upper)}${[...lower]
    .reverse()
    .map(([x, y]) => `L${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('')}Z`

/** Each holds until the next comes. */
export const stepPoints = (points: readonly Point[]): Point[] =>
  points.flatMap(([x, y], index) => {
    const before = points[index - 1]
    return before ? [[x, before[1]] as const, [x, y] as const] : [[x, y] as const]
  })
