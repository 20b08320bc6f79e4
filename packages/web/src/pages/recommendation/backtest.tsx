import type { Evidence } from '@plimsoll/contract'
import { bytes, cores } from '../../format/quantity.ts'
import { Risk, State } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'

type Result = Evidence['backtest']['results'][number]

const names: Record<Result['who'], string> = { current: 'Current', proposed: 'Proposed', vpa: 'VPA’s', krr: 'KRR’s' }

const columns: Column<Result>[] = [
  {
    header: 'Value',
    cell: ({ who }) => <span className={who === 'proposed' ? 'font-semibold text-accent' : 'main'}>{names[who]}</span>,
  },
  { header: 'CPU', align: 'end', cell: ({ cpu_millicores: cpu }) => (cpu === null ? '–' : cores(cpu)) },
  { header: 'Memory', align: 'end', cell: ({ memory_bytes: memory }) => (memory === null ? '–' : bytes(memory)) },
  {
    header: 'Minutes short',
    align: 'end',
    cell: ({ minutes_short: minutes }) => Math.round(minutes).toLocaleString('en-US'),
  },
  { header: 'CPU missed', align: 'end', cell: ({ volume_short: volume }) => `${(100 * volume).toFixed(2)} %` },
  {
    header: 'OOM-risk days',
    align: 'end',
    cell: ({ oom_days: days }) =>
      days > 0 ? (
        <State tone="warn" icon="warn">
          {Number(days.toFixed(1))}
        </State>
      ) : (
        '0'
      ),
  },
  { header: 'Risk', cell: ({ risk }) => <Risk level={risk} /> },
]

/** What the window would have been like with each of these requests. */
export function Backtest({ evidence: { backtest, window } }: { evidence: Evidence }) {
  if (backtest.results.length === 0) return null
  const days = window ? `the last ${Math.round(window.hours / 24)} days replayed with each value` : undefined
  return (
    <Section title="What would have happened" meta={days}>
      <Table
        isStacked
        label="What would have happened"
        columns={columns}
        rows={backtest.results}
        rowKey={({ who }) => who}
      />
    </Section>
  )
}
