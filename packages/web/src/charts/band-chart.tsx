import type { Evidence } from '@plimsoll/contract'
import { day } from '../format/time.ts'
import { areaPath, linear, ticks, unbroken } from './scale.ts'
import { useWidth } from './use-width.ts'

type Band = NonNullable<Evidence['hourly']['cpu_millicores']>

type Props = {
  band: Band
  from: string
  format: (value: number) => string
  /** What the marks of the axis are round numbers of. */
  unit?: number
  current: number | null
  proposed: number | null
  label: string
}

const height = 190
const margin = { top: 12, right: 104, bottom: 22, left: 46 }
const hourMs = 3_600_000

const layers = [
  ['max', 'var(--band-max)'],
  ['p90', 'var(--band-90)'],
  ['p50', 'var(--band-50)'],
] as const

/** How much of the hours was used, under the line that is asked for now and the one that is proposed. */
export function BandChart({ band, from, format, unit = 1, current, proposed, label }: Props) {
  const [ref, width] = useWidth()
  const hours = band.max.length
  const top = Math.max(...band.max.map((value) => value ?? 0), current ?? 0, proposed ?? 0) * 1.04
  const marks = ticks(0, top / unit, 4)
    .map((mark) => mark * unit)
    .filter((mark) => mark <= top * 1.15)
  const right = width - margin.right
  const x = linear([0, Math.max(1, hours - 1)], [margin.left, right])
  const y = linear([0, Math.max(top, marks.at(-1) ?? 1)], [height - margin.bottom, margin.top])
  const days = Math.max(1, Math.round(hours / 24))
  const everyDays = Math.max(1, Math.ceil(days / 7))
  const peak = Math.max(...band.max.map((value) => value ?? 0))
  const summary = `${label}: at most ${format(peak)} used${current === null ? '' : `, ${format(current)} requested`}${
    proposed === null ? '' : `, ${format(proposed)} proposed`
  }`
  return (
    <div ref={ref}>
      <svg width={width} height={height} role="img" aria-label={summary} className="block overflow-visible">
        <defs>
          <pattern id="reserved" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" y1="0" x2="0" y2="6" stroke="var(--reserved)" strokeWidth="1" opacity="0.45" />
          </pattern>
        </defs>
        {marks.map((mark) => (
          <g key={mark}>
            <line x1={margin.left} x2={right} y1={y(mark)} y2={y(mark)} stroke="var(--rule)" />
            <text x={margin.left - 8} y={y(mark) + 4} textAnchor="end">
              {mark === 0 ? '0' : format(mark)}
            </text>
          </g>
        ))}
        {current !== null && proposed !== null && current > proposed && (
          <rect
            x={margin.left}
            width={right - margin.left}
            y={y(current)}
            height={y(proposed) - y(current)}
            fill="url(#reserved)"
          />
        )}
        {layers.map(([name, colour]) =>
          unbroken(band[name]).map((stretch) => (
            <path
              key={`${name} ${stretch[0]?.index}`}
              d={areaPath(
                stretch.map(({ index, value }) => [x(index), y(value)]),
                stretch.map(({ index }) => [x(index), y(0)]),
              )}
              fill={colour}
            />
          )),
        )}
        {Array.from({ length: days + 1 }, (_each, index) => index)
          .filter((index) => index % everyDays === 0 && index * 24 < hours)
          .map((index) => (
            <text key={index} x={x(index * 24)} y={height - 5} textAnchor={index === 0 ? 'start' : 'middle'}>
              {day(new Date(new Date(from).getTime() + index * 24 * hourMs).toISOString())}
            </text>
          ))}
        {current !== null && (
          <g>
            <line x1={margin.left} x2={right} y1={y(current)} y2={y(current)} stroke="var(--ink)" strokeWidth="2" />
            <text x={right + 8} y={y(current) + 4} className="font-semibold">
              <tspan fill="var(--ink)" fontWeight="600">
                {format(current)}
              </tspan>{' '}
              now
            </text>
          </g>
        )}
        {proposed !== null && <ProposedLine from={margin.left} to={right} y={y(proposed)} text={format(proposed)} />}
      </svg>
    </div>
  )
}

/** Ends in the mark: this is where it would float. */
function ProposedLine({ from, to, y, text }: { from: number; to: number; y: number; text: string }) {
  return (
    <g stroke="var(--accent)">
      <line x1={from} x2={to} y1={y} y2={y} strokeWidth="2" strokeDasharray="6 4" />
      <circle cx={to} cy={y} r="5" fill="var(--surface)" strokeWidth="2" />
      <line x1={to - 9} x2={to + 9} y1={y} y2={y} strokeWidth="2" />
      <text x={to + 14} y={y + 4} stroke="none">
        <tspan fill="var(--accent)" fontWeight="600">
          {text}
        </tspan>
      </text>
    </g>
  )
}
