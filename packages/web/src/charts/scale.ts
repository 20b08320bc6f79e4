import { scaleLinear, scaleLog } from 'd3-scale'
import { area, curveLinear, curveStepAfter, line } from 'd3-shape'

type Interval = readonly [number, number]

/** Maps values to pixels. A domain of a single value starts at the first pixel. */
export type Scale = (value: number) => number

export const linear = ([low, high]: Interval, range: Interval): Scale =>
  scaleLinear([low, high === low ? low + 1 : high], range)

/** Each power of ten has the same height. Values below the domain lie on its lower end. */
export const logarithmic = (domain: Interval, range: Interval): Scale => scaleLog(domain, range).clamp(true)

/** The powers of ten from below the smallest to the largest. */
export function decades(smallest: number, largest: number): number[] {
  const first = Math.floor(Math.log10(smallest))
  const last = Math.max(first, Math.floor(Math.log10(largest)))
  return Array.from({ length: last - first + 1 }, (_each, index) => Number((10 ** (first + index)).toPrecision(6)))
}

/** About `count` round steps that cover the values. Unlike the ticks of d3 they cover both ends and know steps of 2.5. */
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

/** Pixels of one step of a chart; null where the value is unknown. */
type LinePoint = { x: number; y: number | null }
type AreaPoint = { x: number; top: number | null; bottom: number }

/** How two points are joined: directly, or by a value that holds until the next point. */
type Join = 'direct' | 'steps'

const curves = { direct: curveLinear, steps: curveStepAfter }

/** The line has a gap where a value is unknown. */
export function linePath(points: readonly LinePoint[], join: Join = 'direct'): string {
  const draw = line<LinePoint>()
    .x(({ x }) => x)
    .y(({ y }) => y ?? 0)
    .defined(({ y }) => y !== null)
    .curve(curves[join])
  return draw.digits(1)(points) ?? ''
}

/** The area has a gap where a value is unknown. */
export function areaPath(points: readonly AreaPoint[], join: Join = 'direct'): string {
  const draw = area<AreaPoint>()
    .x(({ x }) => x)
    .y0(({ bottom }) => bottom)
    .y1(({ top }) => top ?? 0)
    .defined(({ top }) => top !== null)
    .curve(curves[join])
  return draw.digits(1)(points) ?? ''
}
