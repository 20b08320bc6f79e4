import type { Savings } from '@plimsoll/contract'
import { SavingsChart } from '../../charts/savings-chart.tsx'
import { dollars, sumDollars } from '../../format/money.ts'
import { dated } from '../../format/time.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { curveOf, type CurvePoint } from './curve.ts'

/** Observed against estimated savings over time. */
export function OverTime({ savings: { days } }: { savings: Savings }) {
  const now = useNow(60_000)
  return <Curve points={curveOf(days ?? [], now)} />
}

/** The title names the first day of the chart, because earlier changes are not included. */
function Curve({ points }: { points: readonly CurvePoint[] }) {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last) return null
  const since = dated(first.day)
  return (
    <Section
      title={`Observed savings since ${since}`}
      meta="total $/month of all changes so far, as observed today"
      end={
        <span>
          now <b className="text-ink">{sumDollars(last.observed)}/month</b>
        </span>
      }
    >
      <SavingsChart points={points} since={since} />
      <Legend />
      <details className="mt-2 text-sm">
        <summary className="link cursor-pointer">By day</summary>
        <Table isStacked label="Savings by day" columns={columns} rows={points.slice(1)} rowKey={({ day }) => day} />
      </details>
    </Section>
  )
}

const columns: Column<CurvePoint>[] = [
  { header: 'Day', cell: ({ day }) => dated(day) },
  { header: 'Estimated $/month', align: 'end', cell: ({ promised }) => dollars(promised) },
  { header: 'Observed $/month', align: 'end', cell: ({ observed }) => <b>{dollars(observed)}</b> },
]

function Legend() {
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-3">
      <span className="flex items-center gap-1.5">
        <span className="w-4 flex-none border-t-2 border-ink" aria-hidden="true" />
        observed (changes that are reverted or not observed count as $0)
      </span>
      <span className="flex items-center gap-1.5">
        <span className="w-4 flex-none border-t-2 border-dashed border-ink-3" aria-hidden="true" />
        estimated
      </span>
    </p>
  )
}
