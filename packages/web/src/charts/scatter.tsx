import { Readable } from './readable.tsx'
import { nearestPoint } from './reading.ts'
import { decades, logarithmic } from './scale.ts'
import { sizeOf, useWidth } from './use-width.ts'

export type Dot = { key: string; name: string; x: number; y: number; weight: number }

type Props = {
  dots: readonly Dot[]
  format: (value: number) => string
  xTitle: string
  yTitle: string
  label: string
  onPick: ((key: string) => void) | undefined
}

const height = 340
const margin = { top: 24, right: 36, bottom: 40, left: 64 }
const radiusMax = 16

/**
 * Both axes are logarithmic, so that small and large workloads fit in one chart. On the diagonal, usage equals the request;
 * further below it, more of the request is unused. The size of a dot is the cost of the unused request.
 */
export function Scatter({ dots, format, xTitle, yTitle, label, onPick }: Props) {
  const [ref, width] = useWidth()
  const [low, high] = exponentsOf(dots)
  const domain = [10 ** low, 10 ** high] as const
  const x = logarithmic(domain, [margin.left, width - margin.right])
  const y = logarithmic(domain, [height - margin.bottom, margin.top])
  const heaviest = Math.max(...dots.map(({ weight }) => weight), 0.01)
  const axisTicks = decades(...domain)
  const places = dots.map((dot) => ({ x: x(dot.x), y: y(dot.y) }))
  const named = 10 ** (low + 0.3 * (high - low))
  return (
    <div ref={ref}>
      <Readable
        label={label}
        count={dots.length}
        x={(index) => places[index]?.x ?? 0}
        y={(index) => places[index]?.y ?? 0}
        width={width}
        top={margin.top}
        bottom={height - margin.bottom}
        start="first"
        stepAt={(at) => nearestPoint(at, places)}
        readingAt={(index) => readingOf(dots[index], format)}
        onOpen={onPick && ((index) => onPick(dots[index]?.key ?? ''))}
      >
        <svg {...sizeOf(width, height)} role="img" aria-label={label} className="block">
          {axisTicks.map((tick) => (
            <g key={tick}>
              <line x1={x(tick)} x2={x(tick)} y1={margin.top} y2={height - margin.bottom} stroke="var(--rule)" />
              <line x1={margin.left} x2={width - margin.right} y1={y(tick)} y2={y(tick)} stroke="var(--rule)" />
              <text x={x(tick)} y={height - margin.bottom + 16} textAnchor="middle">
                {format(tick)}
              </text>
              <text x={margin.left - 8} y={y(tick) + 4} textAnchor="end">
                {format(tick)}
              </text>
            </g>
          ))}
          <line
            x1={x(domain[0])}
            y1={y(domain[0])}
            x2={x(domain[1])}
            y2={y(domain[1])}
            stroke="var(--ink-3)"
            strokeDasharray="4 4"
          />
          <text x={x(named) - 10} y={y(named) - 4} textAnchor="end">
            100 % used
          </text>
          <text x={width - margin.right} y={height - 6} textAnchor="end">
            {xTitle} →
          </text>
          <text x={margin.left} y={margin.top - 10}>
            ↑ {yTitle}
          </text>
          {dots.map(({ key, name, weight, ...dot }) => (
            <circle
              key={key}
              cx={x(dot.x)}
              cy={y(dot.y)}
              r={Math.max(3, radiusMax * Math.sqrt(Math.max(0, weight) / heaviest))}
              fill="var(--unused)"
              fillOpacity="0.55"
              stroke="var(--unused)"
              className="cursor-pointer"
              onClick={() => onPick?.(key)}
            >
              <title>{`${name}: ${format(dot.x)} requested, ${format(dot.y)} used`}</title>
            </circle>
          ))}
        </svg>
      </Readable>
    </div>
  )
}

const readingOf = (dot: Dot | undefined, format: Props['format']) => ({
  title: dot?.name ?? '',
  lines: [
    { name: 'Requested', value: format(dot?.x ?? 0) },
    { name: 'Used', value: format(dot?.y ?? 0) },
  ],
})

/** Powers of ten around the values, at most five. */
function exponentsOf(dots: readonly Dot[]): [low: number, high: number] {
  const values = dots.flatMap(({ x, y }) => [x, y]).filter((value) => value > 0)
  if (values.length === 0) return [0, 1]
  const high = Math.ceil(Math.log10(Math.max(...values)))
  const low = Math.floor(Math.log10(Math.min(...values)))
  return [Math.max(Math.min(low, high - 1), high - 5), high]
}
