type Props = {
  marks: readonly number[]
  y: (value: number) => number
  from: number
  to: number
  format: (value: number) => string
  title?: string
}

/** Grid lines with values at the left and the unit above. */
export function ValueAxis({ marks, y, from, to, format, title }: Props) {
  return (
    <g>
      {marks.map((mark) => (
        <g key={mark}>
          <line x1={from} x2={to} y1={y(mark)} y2={y(mark)} stroke="var(--rule)" />
          <text x={from - 8} y={y(mark) + 4} textAnchor="end">
            {format(mark)}
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
