import type { Evidence } from '@plimsoll/contract'
import { axisDay, hourMs, momentWithZone } from '../format/time.ts'
import { ValueAxis } from './axis.tsx'
import { HiddenDemand, KillMarks } from './hidden-demand.tsx'
import { Readable } from './readable.tsx'
import { RequestLines, type LimitLine, type Rival } from './request-lines.tsx'
import { areaPath, decades, linear, logarithmic, ticks, type Scale } from './scale.ts'
import { sizeOf, useWidth } from './use-width.ts'

type Band = NonNullable<Evidence['hourly']['cpu_millicores']>

type Props = {
  band: Band
  from: string
  format: (value: number) => string
  /** Of the ticks, if they differ from the values. */
  formatTick?: (value: number) => string
  /** The unit in which the ticks are round numbers. */
  unit?: number
  current: number | null
  proposed: number | null
  limits?: ChartLimits
  /** Requests that other tools recommend. */
  rivals?: readonly Rival[]
  label: string
  /** The title of the axis. */
  axis: string
  scale?: ScaleName
}

/** Shown where the usage touched the limit, or where the limit changes. */
export type ChartLimits = {
  current: number | null
  proposed: number | null
  isDemandUnknown: boolean
  /** By hour. */
  oomKills?: readonly number[]
}

/** A linear scale shows the unused request; a log scale shows small usage below a large request. */
export type ScaleName = 'linear' | 'log'

/** On a linear scale, small usage below a large request is flat. */
export function scaleFor(band: Band, requests: readonly (number | null)[]): ScaleName {
  const top = Math.max(...requests.map((request) => request ?? 0))
  return peakOf(band) < top / 10 ? 'log' : 'linear'
}

const peakOf = ({ max }: Band) => Math.max(...max.map((value) => value ?? 0))

const height = 200
const margin = { top: 24, right: 104, bottom: 22, left: 58 }

const layers = [
  ['max', 'var(--band-max)'],
  ['p90', 'var(--band-90)'],
  ['p50', 'var(--band-50)'],
] as const

const orNone = (value: number | null, format: Props['format']) => (value === null ? 'no data' : format(value))

/** Usage by hour, with lines for the current and the proposed request. */
export function BandChart(props: Props) {
  const { band, format, formatTick = format, current, proposed, rivals = [], label, limits } = props
  const [ref, width] = useWidth()
  const peak = peakOf(band)
  const { axisTicks, y } = axisOf(props)
  const right = width - (width < 480 ? 76 : margin.right)
  const x = linear([0, Math.max(1, band.max.length - 1)], [margin.left, right])
  const said = [
    `maximum usage ${format(peak)}`,
    ...(current === null ? [] : [`${format(current)} requested`]),
    ...(proposed === null ? [] : [`${format(proposed)} proposed`]),
    ...rivals.map(({ name, value }) => `${format(value)} recommended by ${name}`),
    ...saidOfLimits(limits, format),
  ]
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={band.max.length}
        x={x}
        width={width}
        top={margin.top}
        bottom={height - margin.bottom}
        readingAt={(index) => ({
          title: momentWithZone(new Date(Date.parse(props.from) + index * hourMs).toISOString()),
          lines: layers.map(([name, colour]) => ({ name, colour, value: orNone(band[name][index] ?? null, format) })),
        })}
      >
        <svg
          {...sizeOf(width, height)}
          role="img"
          aria-label={`${label}: ${said.join(', ')}`}
          className="block overflow-visible"
        >
          <ValueAxis
            ticks={axisTicks}
            y={y}
            from={margin.left}
            to={right}
            format={(tick) => (tick === 0 ? '0' : formatTick(tick))}
            title={props.axis}
          />
          {current !== null && proposed !== null && current > proposed && (
            <Reserved from={margin.left} to={right} top={y(current)} bottom={y(proposed)} />
          )}
          <Bands band={band} x={x} y={y} />
          {limits?.isDemandUnknown && limits.current !== null && (
            <HiddenDemand limit={y(limits.current)} top={margin.top} from={margin.left} to={right} />
          )}
          <Days from={props.from} hours={band.max.length} x={x} namesMax={Math.floor(right / 70)} />
          <RequestLines
            current={current}
            proposed={proposed}
            rivals={rivals}
            limits={limitLines(limits)}
            y={y}
            from={margin.left}
            to={right}
            bounds={{ low: margin.top - 8, high: height - margin.bottom }}
            format={format}
          />
          {limits?.oomKills && limits.current !== null && (
            <KillMarks kills={limits.oomKills} x={x} y={y(limits.current)} />
          )}
        </svg>
      </Readable>
    </div>
  )
}

function saidOfLimits(limits: ChartLimits | undefined, format: Props['format']): string[] {
  if (!limits) return []
  const kills = limits.oomKills?.reduce((sum, each) => sum + each, 0) ?? 0
  return [
    ...(limits.current === null ? [] : [`limit ${format(limits.current)}`]),
    ...(limits.isDemandUnknown ? ['demand above the limit is unknown'] : []),
    ...(kills > 0 ? [`${kills} OOM kills`] : []),
  ]
}

function limitLines(limits: ChartLimits | undefined): LimitLine[] {
  if (!limits) return []
  const { current, proposed } = limits
  return [
    ...(current === null ? [] : [{ value: current, word: 'limit', isProposed: false }]),
    ...(proposed === null || proposed === current ? [] : [{ value: proposed, word: 'new limit', isProposed: true }]),
  ]
}

const span = [height - margin.bottom, margin.top] as const

function axisOf({ band, unit = 1, current, proposed, rivals = [], limits, scale }: Props): {
  axisTicks: number[]
  y: Scale
} {
  const requests = [
    current,
    proposed,
    ...rivals.map(({ value }) => value),
    ...limitLines(limits).map(({ value }) => value),
  ]
  const top =
    Math.max(peakOf(band), ...requests.map((request) => request ?? 0)) * (limits?.isDemandUnknown ? 1.25 : 1.04)
  if (scale === 'log') {
    const known = [...band.p50, ...requests].flatMap((value) => (value !== null && value >= 1 ? value : []))
    const axisTicks = decades(Math.min(...known, top), top)
    return { axisTicks, y: logarithmic([axisTicks[0] ?? 1, top * 1.2], span) }
  }
  const axisTicks = ticks(0, top / unit, 4)
    .map((tick) => tick * unit)
    .filter((tick) => tick <= top * 1.15)
  return { axisTicks, y: linear([0, Math.max(top, axisTicks.at(-1) ?? 1)], span) }
}

/** The part of the current request above the proposal. */
function Reserved({ from, to, top, bottom }: { from: number; to: number; top: number; bottom: number }) {
  return (
    <>
      <defs>
        <pattern id="unused" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" stroke="var(--unused)" strokeWidth="1" opacity="0.45" />
        </pattern>
      </defs>
      <rect x={from} width={to - from} y={top} height={bottom - top} fill="url(#unused)" />
    </>
  )
}

function Bands({ band, x, y }: { band: Band; x: Scale; y: Scale }) {
  const pointsOf = (values: readonly (number | null)[]) =>
    values.map((value, index) => ({ x: x(index), top: value === null ? null : y(value), bottom: y(0) }))
  return layers.map(([name, colour]) => <path key={name} d={areaPath(pointsOf(band[name]))} fill={colour} />)
}

type DaysProps = { from: string; hours: number; x: Scale; namesMax: number }

function Days({ from, hours, x, namesMax }: DaysProps) {
  const days = Math.max(1, Math.round(hours / 24))
  const every = Math.max(1, Math.ceil(days / Math.min(7, namesMax)))
  const shown = Array.from({ length: days + 1 }, (_each, index) => index).filter(
    (index) => index % every === 0 && index * 24 < hours,
  )
  const nameOf = (index: number) => axisDay(new Date(new Date(from).getTime() + index * 24 * hourMs).toISOString())
  return shown.map((index) => (
    <text key={index} x={x(index * 24)} y={height - 5} textAnchor={index === 0 ? 'start' : 'middle'}>
      {nameOf(index)}
    </text>
  ))
}
