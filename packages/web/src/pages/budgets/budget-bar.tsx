import type { Budget } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'

/** Cost so far, the 80 % forecast range and the amount, on one scale. */
export function BudgetBar({ budget: { current }, max }: { budget: Budget; max: number }) {
  if (!current) return null
  const { forecast, amount } = current
  const at = (usd: number) => (max === 0 ? 0 : Math.min(100, (usd / max) * 100))
  const range = forecast.band80
  const label = `Spent ${dollars(forecast.spent)}${range ? `, forecast ${dollars(range.lower)} to ${dollars(range.upper)}` : ''}, amount ${dollars(amount)}`
  return (
    <svg
      viewBox="0 0 100 12"
      preserveAspectRatio="none"
      className="block h-3 w-full min-w-40"
      role="img"
      aria-label={label}
    >
      <line
        x1="0"
        x2={range ? at(range.upper) : at(forecast.spent)}
        y1="6"
        y2="6"
        stroke="var(--ink-3)"
        strokeWidth="0.6"
      />
      <rect x="0" y="3" width={at(forecast.spent)} height="6" fill="var(--ink)" />
      {range && (
        <rect
          x={at(range.lower)}
          y="2"
          width={Math.max(1, at(range.upper) - at(range.lower))}
          height="8"
          fill="none"
          stroke={range.lower > amount ? 'var(--danger)' : 'var(--ink-2)'}
          vectorEffect="non-scaling-stroke"
        />
      )}
      <line
        x1={at(amount)}
        x2={at(amount)}
        y1="0"
        y2="12"
        stroke="var(--ink)"
        strokeWidth="2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
