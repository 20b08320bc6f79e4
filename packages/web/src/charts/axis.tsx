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
