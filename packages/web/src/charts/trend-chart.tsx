import type { Overview } from '@plimsoll/contract'
import { axisDollars, dollars } from '../format/money.ts'
import { utcAxisDay } from '../format/time.ts'
import { ValueAxis } from './axis.tsx'
import { joinWords, placeJoinLabels, type Join } from './join-labels.ts'
import { Readable } from './readable.tsx'
import { linear, linePath, ticks } from './scale.ts'
import { sizeOf, useWidth } from './use-width.ts'
import { weekAgoPoint, type WeekAgoPoint } from './week-ago-point.ts'

type Props = { overview: Overview; nameOf: (clusterId: string) => string }

const height = 200
const lineHeight = 14
const margin = { top: 26, right: 8, bottom: 22, left: 52 }

/** Run rate by day. A hollow point marks the current day, which is incomplete. */
export function TrendChart({ overview, nameOf }: Props) {
  const [ref, width] = useWidth()
  const { trend } = overview
  const known = trend.flatMap(({ total }) => total ?? [])
  if (known.length < 2) return <p className="py-6 text-ink-3">The chart needs at least two days of data.</p>
  const week = weekAgoPoint(overview)
  const drawn = week ? [...known, week.total] : known
  const [low, high] = calmRange(Math.min(...drawn), Math.max(...drawn))
  const axisTicks = ticks(low, high, 3)
  const x = linear([0, trend.length - 1], [margin.left, width - margin.right])
  const bottom = axisTicks[0] ?? 0
  const format = axisDollars(axisTicks)
  const y = linear([bottom, axisTicks.at(-1) ?? 1], [height - margin.bottom, margin.top])
  const last = trend.findLastIndex(({ total }) => total !== null)
  const lastTotal = trend[last]?.total ?? 0
  const joins = trend.flatMap(({ joined }, index) =>
    joined.length > 0 ? [{ x: x(index), words: joinWords(joined.map(nameOf)) }] : [],
  )
  const range = `Run rate by day: first ${dollars(known[0] ?? 0)}, last ${dollars(known.at(-1) ?? 0)}`
  const label = [range, ...(week ? [week.words] : []), ...joins.map(({ words }) => words)].join('; ')
  return (
    <div ref={ref}>
      <Readable
        label="Run rate by day"
        count={trend.length}
        x={x}
        width={width}
        top={margin.top}
        bottom={height - margin.bottom}
        readingAt={(index) => ({
          title: utcAxisDay(trend[index]?.from ?? ''),
          lines: [{ name: 'Run rate', value: perMonthOrNone(trend[index]?.total ?? null) }],
        })}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
          <ValueAxis
            ticks={axisTicks}
            y={y}
            from={margin.left}
            to={width - margin.right}
            format={format}
            {...(bottom > 0 ? { title: `Axis starts at ${format(bottom)}` } : {})}
          />
          {bottom > 0 && <BrokenAxis y={y(bottom)} />}
          {dayTicks(trend.length, width < 480 ? 2 : 4).map((index) => (
            <text
              key={index}
              x={x(index)}
              y={height - 4}
              textAnchor={index === 0 ? 'start' : index === trend.length - 1 ? 'end' : 'middle'}
            >
              {utcAxisDay(trend[index]?.from ?? '')}
            </text>
          ))}
          <Joins joins={joins} right={width - margin.right} />
          {week && <Week point={week} x={x(week.index)} y={y(week.total)} />}
          <path
            d={linePath(trend.map(({ total }, index) => ({ x: x(index), y: total === null ? null : y(total) })))}
            fill="none"
            stroke="var(--ink)"
            strokeWidth="1.8"
            strokeLinejoin="round"
          />
          <circle cx={x(last)} cy={y(lastTotal)} r="3.5" fill="var(--surface)" stroke="var(--ink)" strokeWidth="1.8" />
        </svg>
      </Readable>
      <TrendTable trend={trend} nameOf={nameOf} />
    </div>
  )
}

const perMonthOrNone = (total: number | null) => (total === null ? 'no data' : `${dollars(total)}/month`)

/** The value that the headline compares with. */
function Week({ point, x, y }: { point: WeekAgoPoint; x: number; y: number }) {
  const foot = height - margin.bottom
  return (
    <g>
      <title>{point.title}</title>
      <line x1={x} x2={x} y1={y} y2={foot} stroke="var(--rule-strong)" strokeDasharray="2 3" />
      <text
        x={x - 6}
        y={foot - 6}
        textAnchor="end"
        style={{ stroke: 'var(--surface)', strokeWidth: 4, paintOrder: 'stroke' }}
      >
        {point.words}
      </text>
    </g>
  )
}

/** Shows when a cluster was connected, because the new cluster raises the line. */
function Joins({ joins, right }: { joins: readonly Join[]; right: number }) {
  const foot = height - margin.bottom
  return placeJoinLabels(joins, { left: margin.left, right }).map(({ x, words, side, edge, line }) => (
    <g key={x}>
      <line x1={x} x2={x} y1={margin.top} y2={foot} stroke="var(--rule-strong)" strokeDasharray="2 3" />
      <text
        {...(side === 'before' ? { x: x - 6, textAnchor: 'end' } : { x: x + 6 })}
        y={edge === 'top' ? margin.top + 10 + lineHeight * line : foot - lineHeight * (line + 2)}
        style={{ stroke: 'var(--surface)', strokeWidth: 4, paintOrder: 'stroke' }}
      >
        {words}
      </text>
    </g>
  ))
}

/** Axis break: the axis does not begin at $0. */
function BrokenAxis({ y }: { y: number }) {
  const at = margin.left - 3
  return (
    <path d={`M${at} ${y - 9}l6 -4M${at} ${y - 5}l6 -4`} stroke="var(--rule-strong)" strokeWidth="1.2" fill="none" />
  )
}

/** A minimum range, so that small changes look small. */
function calmRange(low: number, high: number): [number, number] {
  const spare = Math.max(0, 0.06 * high - (high - low)) / 2
  return [Math.max(0, low - spare), high + spare]
}

/** The same data as a table, for screen readers. */
function TrendTable({ trend, nameOf }: Pick<Overview, 'trend'> & Pick<Props, 'nameOf'>) {
  return (
    <table className="sr-only">
      <caption>Run rate by day</caption>
      <tbody>
        {trend.map(({ from, total, joined }, index) => (
          <tr key={from}>
            <th scope="row">{utcAxisDay(from)}</th>
            <td>{total === null ? missingWords(index === trend.length - 1) : dollars(total)}</td>
            <td>{joined.length > 0 && joinWords(joined.map(nameOf))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The last day may have no complete hour yet. */
const missingWords = (isLast: boolean) => (isLast ? 'incomplete' : 'no data')

function dayTicks(length: number, parts: number): number[] {
  const step = Math.max(1, Math.round((length - 1) / parts))
  return Array.from({ length }, (_each, index) => index).filter(
    (index) => index === length - 1 || (index % step === 0 && length - 1 - index > step / 2),
  )
}
