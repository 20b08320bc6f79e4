import { stack } from 'd3-shape'
import { addedUp, dollars, shortDollars } from '../format/money.ts'
import { utcAxisDay, utcDay } from '../format/time.ts'
import { ValueAxis } from './axis.tsx'
import { gapsOf, knownStretches, pointsOf, type Stretch } from './gaps.ts'
import { UnallocatedPattern } from './patterns.tsx'
import { Readable } from './readable.tsx'
import { areaPath, linear, linePath, ticks, type Scale } from './scale.ts'
import { sizeOf, useWidth } from './use-width.ts'

/** A step without data is null in every layer. `key`: a unique name, unless `name` is unique. */
export type Layer = {
  key?: string
  name: string
  colour: string
  values: readonly (number | null)[]
  isHatched?: boolean
}

/** The total of another period, step by step. */
export type OtherTotal = { name: string; values: readonly (number | null)[]; starts: readonly string[] }

type Props = {
  layers: readonly Layer[]
  starts: readonly string[]
  step: 'hour' | 'day'
  label: string
  other?: OtherTotal | undefined
  onZoom?: ((from: number, to: number) => void) | undefined
}

const height = 240
const margin = { top: 10, bottom: 22, left: 48 }
const labelHeight = 13

/** Owned cost at the bottom, unallocated cost hatched on top; labels at the right, or a legend below if labels do not fit. */
export function StackedArea({ layers, starts, step, label, other, onZoom }: Props) {
  const [ref, width] = useWidth()
  const sums = starts.map((_start, index) => layers.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))
  const known = starts.map((_start, index) => layers.some(({ values }) => (values[index] ?? null) !== null))
  const axisTicks = ticks(0, Math.max(...sums, ...(other?.values ?? []).map((value) => value ?? 0), 0.01), 4)
  const y = linear([0, axisTicks.at(-1) ?? 1], [height - margin.bottom, margin.top])
  const stacked = stackLayers(layers, starts.length)
  const hasLegend = width <= 560 || !doNamesFit(stacked, y)
  const right = width - (hasLegend ? 8 : roomForNames(layers))
  const x = linear([0, Math.max(1, starts.length - 1)], [margin.left, right])
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={starts.length}
        x={x}
        width={width}
        top={margin.top}
        bottom={height - margin.bottom}
        readingAt={(index) => readingOf({ layers, starts, step, other }, index)}
        onZoom={onZoom}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
          <UnallocatedPattern />
          <ValueAxis ticks={axisTicks} y={y} from={margin.left} to={right} format={shortDollars} />
          <Gaps known={known} x={x} />
          {stacked.map((each) => (
            <Area key={keyOf(each.layer)} of={each} known={known} x={x} y={y} step={step} />
          ))}
          <Times starts={starts} step={step} x={x} right={right} />
          {other && (
            <path
              d={linePath(starts.map((_start, index) => otherPoint(other, index, { x, y })))}
              fill="none"
              stroke="var(--ink)"
              strokeDasharray="4 3"
            />
          )}
          {!hasLegend && <Names stacked={stacked} y={y} right={right} />}
        </svg>
      </Readable>
      {hasLegend && <NameList layers={layers} />}
    </div>
  )
}

const keyOf = ({ key, name }: Layer) => key ?? name

const otherPoint = ({ values }: OtherTotal, index: number, { x, y }: { x: Scale; y: Scale }) => {
  const value = values[index] ?? null
  return { x: x(index), y: value === null ? null : y(value) }
}

/** From the top of the stack down, as the layers lie in the chart. */
function readingOf(
  { layers, starts, step, other }: Pick<Props, 'layers' | 'starts' | 'step' | 'other'>,
  index: number,
) {
  const known = layers.filter(({ values }) => (values[index] ?? null) !== null)
  const { parts, total } = addedUp(known.map(({ values }) => values[index] ?? 0))
  const lines = known.map(({ name, colour, isHatched = false }, at) => ({
    name,
    colour,
    isHatched,
    value: parts[at] ?? '',
  }))
  const before = other?.values[index] ?? null
  const text = timeText(step, [...starts, ...(other?.starts ?? [])])
  return {
    title: `${text(starts[index] ?? '')}, $ per ${step}`,
    lines: [
      ...lines.reverse(),
      { name: 'Total', value: known.length === 0 ? 'no data' : total, isSum: true },
      ...(other && before !== null ? [{ name: text(other.starts[index] ?? ''), value: addedUp([before]).total }] : []),
    ],
  }
}

/** With the year if the chart shows more than one. */
function timeText(step: Props['step'], shown: readonly string[]): (iso: string) => string {
  const dayOf = new Set(shown.map((iso) => iso.slice(0, 4))).size > 1 ? utcDay : utcAxisDay
  return (iso) => (step === 'hour' ? `${dayOf(iso)} ${iso.slice(11, 16)} UTC` : dayOf(iso))
}

type Stacked = ReturnType<typeof stackLayers>[number]

type AreaProps = { of: Stacked; known: readonly boolean[]; x: Scale; y: Scale; step: Props['step'] }

function Area({ of: { layer, low, high }, known, x, y, step }: AreaProps) {
  const pointsIn = (stretch: Stretch) =>
    pointsOf(stretch, known.length).map(({ index, at }) => ({
      x: x(at),
      top: y(high[index] ?? 0),
      bottom: y(low[index] ?? 0),
    }))
  return (
    <path
      d={knownStretches(known)
        .map((stretch) => areaPath(pointsIn(stretch)))
        .join('')}
      fill={layer.isHatched ? 'url(#unallocated)' : layer.colour}
      stroke="var(--surface)"
      strokeWidth="0.8"
    >
      <title>{`${layer.name}, ${dollars(lastKnown(layer.values))} per ${step} on the last ${step}`}</title>
    </path>
  )
}

const wordWidth = 52

/** A gap, labelled if there is space: unknown cost is not $0. */
function Gaps({ known, x }: { known: readonly boolean[]; x: Scale }) {
  return gapsOf(known).map(({ from, to }) => (
    <g key={from}>
      <title>No data</title>
      <rect
        x={x(from)}
        y={margin.top}
        width={x(to) - x(from)}
        height={height - margin.bottom - margin.top}
        fill="var(--surface-sunken)"
      />
      {x(to) - x(from) >= wordWidth && (
        <text x={x((from + to) / 2)} y={(height - margin.bottom + margin.top) / 2} textAnchor="middle">
          no data
        </text>
      )}
    </g>
  ))
}

type TimesProps = Pick<Props, 'starts' | 'step'> & { x: Scale; right: number }

function Times({ starts, step, x, right }: TimesProps) {
  const every = Math.max(1, Math.ceil(starts.length / Math.min(6, Math.floor(right / 64))))
  const shownAt = (iso: string) => (step === 'hour' ? iso.slice(11, 16) : utcAxisDay(iso))
  return starts.map((start, index) =>
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
  )
}

const lettersMax = 26
const letterWidth = 6.7

const roomForNames = (layers: readonly Layer[]) =>
  20 + letterWidth * Math.max(...layers.map(({ name }) => name.length), 0)

/** The middle of each layer at its last known step. */
const middles = (stacked: readonly Stacked[], y: Scale) =>
  stacked.map(({ layer, low, high }) => {
    const last = layer.values.findLastIndex((value) => value !== null)
    return { key: keyOf(layer), name: layer.name, at: y(((low[last] ?? 0) + (high[last] ?? 0)) / 2) }
  })

/** Labels that are long, overlap, or are two lines away from their layers are hard to match. */
function doNamesFit(stacked: readonly Stacked[], y: Scale): boolean {
  const placed = spread(middles(stacked, y))
  return placed.every(
    ({ name, at, wanted }, index) =>
      name.length <= lettersMax &&
      Math.abs(at - wanted) < 2 * labelHeight &&
      (placed[index - 1]?.at ?? Infinity) - at >= labelHeight - 1,
  )
}

function Names({ stacked, y, right }: { stacked: readonly Stacked[]; y: Scale; right: number }) {
  return spread(middles(stacked, y)).map(({ key, name, at, wanted: end }) => (
    <g key={key}>
      <line x1={right + 2} x2={right + 8} y1={end} y2={at} stroke="var(--rule-strong)" />
      <text x={right + 12} y={at + 4}>
        {name}
      </text>
    </g>
  ))
}

/** From the top of the stack down. */
function NameList({ layers }: { layers: readonly Layer[] }) {
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-sm text-ink-2">
      {[...layers].reverse().map(({ key, name, colour, isHatched }) => (
        <li key={key ?? name} className="flex items-center gap-1.5">
          <span
            className={`swatch ${isHatched ? 'hatch' : ''}`}
            {...(isHatched ? {} : { style: { background: colour } })}
          />
          {name}
        </li>
      ))}
    </ul>
  )
}

const lastKnown = (values: Layer['values']) => values.findLast((value) => value !== null) ?? 0

/** The lower and upper edge of each layer; a step without data has no height. */
function stackLayers(layers: readonly Layer[], steps: number) {
  const stacks = stack<number, Layer>()
    .keys(layers)
    .value((index, { values }) => values[index] ?? 0)
  return stacks(range(steps)).map((series) => ({
    layer: series.key,
    low: series.map(([low]) => low),
    high: series.map(([, high]) => high),
  }))
}

const range = (length: number) => Array.from({ length }, (_each, index) => index)

/** Labels of thin layers would overlap, so each gets its own line, from the bottom up. */
function spread(labels: readonly { key: string; name: string; at: number }[]) {
  let above = Infinity
  const placed = labels.map(({ at: wanted, ...label }) => {
    const at = Math.min(wanted, above - labelHeight)
    above = at
    return { ...label, at, wanted }
  })
  const overflow = Math.max(0, margin.top - (placed.at(-1)?.at ?? margin.top))
  return placed.map((each, index) => ({ ...each, at: each.at + (overflow * (index + 1)) / placed.length }))
}
