import { dollars, shortDollars } from '../format/money.ts'
import { utcDay } from '../format/time.ts'
import { ValueAxis } from './axis.tsx'
import { UnaskedPattern } from './patterns.tsx'
import { areaPath, linear, ticks } from './scale.ts'
import { useWidth } from './use-width.ts'

export type Layer = { name: string; colour: string; values: readonly number[]; isHatched?: boolean }

type Props = { layers: readonly Layer[]; starts: readonly string[]; step: 'hour' | 'day'; label: string }

const height = 240
const margin = { top: 10, bottom: 22, left: 48 }
const labelHeight = 13

/** What is owned below, what belongs to nobody on top and hatched; names at the right end instead of a legend. */
export function StackedArea({ layers, starts, step, label }: Props) {
  const [ref, width] = useWidth()
  const right = width - (width > 560 ? 140 : 8)
  const sums = starts.map((_start, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const marks = ticks(0, Math.max(...sums, 0.01), 4)
  const x = linear([0, Math.max(1, starts.length - 1)], [margin.left, right])
  const y = linear([0, marks.at(-1) ?? 1], [height - margin.bottom, margin.top])
  const stacked = stack(layers)
  const every = Math.max(1, Math.ceil(starts.length / Math.min(6, Math.floor(right / 64))))
  const shownAt = (iso: string) => (step === 'hour' ? iso.slice(11, 16) : utcDay(iso))
  return (
    <div ref={ref}>
      <svg width={width} height={height} role="img" aria-label={label} className="block">
        <UnaskedPattern />
        <ValueAxis marks={marks} y={y} from={margin.left} to={right} format={shortDollars} />
        {stacked.map(({ layer, low, high }) => (
          <path
            key={layer.name}
            d={areaPath(
              high.map((value, index) => [x(index), y(value)]),
              low.map((value, index) => [x(index), y(value)]),
            )}
            fill={layer.isHatched ? 'url(#unasked)' : layer.colour}
            stroke="var(--surface)"
            strokeWidth="0.8"
          >
            <title>{`${layer.name}, now ${dollars(layer.values.at(-1) ?? 0)} a month`}</title>
          </path>
        ))}
        {starts.map((start, index) =>
          index % every === 0 ? (
            <text
              key={start}
              x={x(index)}
              y={height - 5}
              textAnchor={index === 0 ? 'start' : x(index) > right - 24 ? 'end' : 'middle'}
            >
              {shownAt(start)}
            </text>
          ) : null,
        )}
        {width > 560 &&
          spread(
            stacked.map(({ layer, low, high }) => ({
              name: layer.name,
              at: y(((low.at(-1) ?? 0) + (high.at(-1) ?? 0)) / 2),
            })),
          ).map(({ name, at, wanted }) => (
            <g key={name}>
              <line x1={right + 2} x2={right + 8} y1={wanted} y2={at} stroke="var(--rule-strong)" />
              <text x={right + 12} y={at + 4}>
                {name.length > 20 ? `${name.slice(0, 19)}…` : name}
              </text>
            </g>
          ))}
      </svg>
    </div>
  )
}

function stack(layers: readonly Layer[]) {
  let below: number[] = []
  return layers.map((layer) => {
    const low = layer.values.map((_value, index) => below[index] ?? 0)
    const high = layer.values.map((value, index) => (low[index] ?? 0) + value)
    below = high
    return { layer, low, high }
  })
}

/** Names of thin layers would lie on each other: from the bottom up each gets its own line. */
function spread(labels: readonly { name: string; at: number }[]) {
  let above = Infinity
  const placed = labels.map(({ name, at: wanted }) => {
    const at = Math.min(wanted, above - labelHeight)
    above = at
    return { name, at, wanted }
  })
  const overflow = Math.max(0, margin.top - (placed.at(-1)?.at ?? margin.top))
  return placed.map((each, index) => ({ ...each, at: each.at + (overflow * (index + 1)) / placed.length }))
}
