import { dollars, shortDollars } from '../format/money.ts'
import { dated, utcAxisDay } from '../format/time.ts'
import { ValueAxis } from './axis.tsx'
import { Readable } from './readable.tsx'
import { areaPath, linear, linePath, ticks } from './scale.ts'
import { sizeOf, useWidth } from './use-width.ts'

type Point = { day: string; promised: number; observed: number }

const height = 190
const margin = { top: 14, right: 10, bottom: 22, left: 52 }
const namesMax = 4

/** Starts at $0, or below if the changes cost more than they save. */
export function axisTicks(points: readonly Point[]): number[] {
  const values = points.flatMap(({ promised, observed }) => [promised, observed])
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  return ticks(low, high > low ? high : 1, 3)
}

/** As steps: a change counts from its day on. */
export function SavingsChart({ points, since }: { points: readonly Point[]; since: string }) {
  const [ref, width] = useWidth()
  const axisValues = axisTicks(points)
  const [first, last] = [points[0]?.day ?? '', points.at(-1)?.day ?? '']
  const right = width - margin.right
  const x = linear([Date.parse(first), Date.parse(last)], [margin.left, right])
  const y = linear([axisValues[0] ?? 0, axisValues.at(-1) ?? 1], [height - margin.bottom, margin.top])
  const lineOf = (of: 'promised' | 'observed') =>
    linePath(
      points.map((point) => ({ x: x(Date.parse(point.day)), y: y(point[of]) })),
      'steps',
    )
  const observed = points.map((point) => ({ x: x(Date.parse(point.day)), top: y(point.observed), bottom: y(0) }))
  const end = points.at(-1) ?? { promised: 0, observed: 0 }
  const label = `Changes from ${since} to ${dated(last)}: estimated ${dollars(end.promised)}/month, observed ${dollars(end.observed)}/month`
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={points.length}
        x={(index) => x(Date.parse(points[index]?.day ?? first))}
        width={width}
        top={margin.top}
        bottom={height - margin.bottom}
        readingAt={(index) => ({
          title: dated(points[index]?.day ?? ''),
          lines: [
            { name: 'Estimated', value: `${dollars(points[index]?.promised ?? 0)}/month` },
            { name: 'Observed', value: `${dollars(points[index]?.observed ?? 0)}/month` },
          ],
        })}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
          <path d={areaPath(observed, 'steps')} fill="var(--surface-sunken)" />
          <ValueAxis ticks={axisValues} y={y} from={margin.left} to={right} format={shortDollars} />
          <path d={lineOf('promised')} fill="none" stroke="var(--ink-3)" strokeWidth="1.5" strokeDasharray="5 4" />
          <path d={lineOf('observed')} fill="none" stroke="var(--ink)" strokeWidth="2" />
          <Days first={first} last={last} x={x} count={width < 480 ? 2 : namesMax} />
        </svg>
      </Readable>
    </div>
  )
}

type DaysProps = { first: string; last: string; x: (ms: number) => number; count: number }

function Days({ first, last, x, count }: DaysProps) {
  const [from, to] = [Date.parse(first), Date.parse(last)]
  const days = Math.round((to - from) / 86_400_000)
  const step = Math.max(1, Math.ceil(days / count))
  const dayTimes = Array.from(
    { length: Math.floor(days / step) + 1 },
    (_each, index) => from + index * step * 86_400_000,
  )
  return dayTimes.map((ms, index) => (
    <text
      key={ms}
      x={x(ms)}
      y={height - 4}
      textAnchor={index === 0 ? 'start' : ms > to - 86_400_000 ? 'end' : 'middle'}
    >
      {utcAxisDay(new Date(ms).toISOString())}
    </text>
  ))
}
