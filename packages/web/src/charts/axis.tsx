import { axisDollars } from '../format/money.ts'

type Props = {
  ticks: readonly number[]
  y: (value: number) => number
  from: number
  to: number
  format: (value: number) => string
  title?: string
}

/** Grid lines with values at the left and the unit above. */
export function ValueAxis({ ticks, y, from, to, format, title }: Props) {
  return (
    <g>
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={from} x2={to} y1={y(tick)} y2={y(tick)} stroke="var(--rule)" />
          <text x={from - 8} y={y(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {title !== undefined && (
        <text x={from} y={10}>
          {title}
        </text>
      )}
    </g>
  )
}

/** The space left of a chart of bills for the amounts of its axis, and above it for the unit. */
export const billMargin = { left: 52, top: 44 }

type BillProps = Pick<Props, 'ticks' | 'y' | 'to'> & { unit: string }

/** The axis of a chart of bills. Its title shows where the axis starts unless it starts at $0. */
export function BillAxis({ ticks, y, to, unit }: BillProps) {
  const [first = 0] = ticks
  const format = axisDollars(ticks)
  const title = first > 0 ? `${unit}. Axis starts at ${format(first)}` : unit
  return <ValueAxis ticks={ticks} y={y} from={billMargin.left} to={to} format={format} title={title} />
}
