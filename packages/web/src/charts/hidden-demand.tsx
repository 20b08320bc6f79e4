import type { Scale } from './scale.ts'

type Props = {
  /** The vertical position of the limit. */
  limit: number
  top: number
  from: number
  to: number
}

/** Above a limit that the usage touched, the demand was not measured. */
export function HiddenDemand({ limit, top, from, to }: Props) {
  const height = Math.max(0, limit - top)
  return (
    <g>
      <defs>
        <pattern id="hidden-demand" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" stroke="var(--danger)" strokeWidth="1" opacity="0.35" />
        </pattern>
      </defs>
      <rect x={from} width={Math.max(0, to - from)} y={top} height={height} fill="url(#hidden-demand)" />
      <text x={from + 6} y={top + 12} stroke="var(--surface)" strokeWidth="4" paintOrder="stroke">
        <tspan fill="var(--danger)" fontWeight="600">
          Demand above the limit is unknown
        </tspan>
      </text>
    </g>
  )
}

/** One symbol per hour with OOM kills, on the limit. */
export function KillMarks({ kills, x, y }: { kills: readonly number[]; x: Scale; y: number }) {
  return kills.map((count, hour) =>
    count === 0 ? null : (
      <path key={hour} d={`M${x(hour) - 3} ${y - 3}l6 6m0 -6l-6 6`} stroke="var(--danger)" strokeWidth="1.4">
        <title>{`${count} OOM ${count === 1 ? 'kill' : 'kills'}`}</title>
      </path>
    ),
  )
}
