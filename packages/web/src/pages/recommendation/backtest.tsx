import type { Evidence } from '@plimsoll/contract'
import { dollarsOrDash } from '../../format/money.ts'
import { bytes, cores, days, finePercent, number, tenths } from '../../format/quantity.ts'
import { Risk, State } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { leakWords, unprovenWords } from './demand.ts'
import { besideVpa, riskWords, savingOf, type RiskOfChange } from './replay.ts'

type Result = Evidence['backtest']['results'][number]

const names: Record<Result['who'], string> = { current: 'Current', proposed: 'Proposed', vpa: 'VPA', krr: 'KRR' }

type Unknown = { cpu: boolean; memory: boolean }

const columnsOf = (savings: number, minutesMax: number, unknown: Unknown): Column<Result>[] => [
  {
    header: 'Value',
    cell: ({ who }) => <span className={who === 'proposed' ? 'font-semibold text-accent' : 'main'}>{names[who]}</span>,
  },
  { header: 'CPU', align: 'end', cell: ({ cpu_millicores: cpu }) => (cpu === null ? '–' : cores(cpu)) },
  { header: 'Memory', align: 'end', cell: ({ memory_bytes: memory }) => (memory === null ? '–' : bytes(memory)) },
  {
    header: 'Estimated $/month',
    align: 'end',
    cell: (row) => <b className="font-semibold">{dollarsOrDash(savingOf(row, savings))}</b>,
  },
  {
    header: 'Short of CPU (minutes)',
    align: 'end',
    cell: ({ minutes_short: minutes }) => <Minutes minutes={minutes} max={minutesMax} isAtLeast={unknown.cpu} />,
  },
  { header: 'CPU usage above request', align: 'end', cell: ({ volume_short: volume }) => finePercent(volume) },
  {
    header: 'Days short of memory',
    align: 'end',
    cell: ({ oom_days: risky }) =>
      risky > 0 ? (
        <State tone="warn" icon="warn">
          {tenths(risky)}
        </State>
      ) : unknown.memory ? (
        'unknown'
      ) : (
        '0'
      ),
  },
  { header: 'Shortage risk', cell: ({ risk }) => <Risk level={risk} /> },
]

/** All bars of a table share one scale; 0 has no bar. A throttled container would have used more, so the minutes are a lower bound. */
function Minutes({ minutes, max, isAtLeast }: { minutes: number; max: number; isAtLeast: boolean }) {
  return (
    <span className="inline-flex items-center gap-2">
      {isAtLeast ? `unknown${minutes > 0 ? ` (at least ${number(minutes)})` : ''}` : number(minutes)}
      {max > 0 && (
        <span className="flex w-16" aria-hidden="true">
          {minutes > 0 && (
            <span className="h-2.5 min-w-[2px] bg-ink-2" style={{ width: `${(100 * minutes) / max}%` }} />
          )}
        </span>
      )}
    </span>
  )
}

const nothingUnknown: Unknown = { cpu: false, memory: false }

type Props = { evidence: Evidence; savings: number; risk: RiskOfChange }

/** Replays the window with each request. */
export function Backtest({ evidence: { backtest, window, demand }, savings, risk }: Props) {
  if (backtest.results.length === 0) return null
  const minutesMax = Math.max(...backtest.results.map(({ minutes_short: minutes }) => minutes))
  const caution = besideVpa(backtest.results, window)
  const replayed = window ? `last ${days(window.hours)} with each request` : undefined
  return (
    <Section title="Back-test" meta={replayed}>
      <Table
        isStacked
        label="Back-test"
        columns={columnsOf(savings, minutesMax, demand?.unknown_above_limit ?? nothingUnknown)}
        rows={backtest.results}
        rowKey={({ who }) => who}
        isChosen={({ who }) => who === 'proposed'}
      />
      {[leakWords(demand), unprovenWords(demand), riskWords(backtest.results, risk)]
        .filter((words) => words !== '')
        .map((words) => (
          <p key={words} className="mt-2 font-medium">
            {words}
          </p>
        ))}
      {caution !== '' && <p className="mt-2 text-sm text-ink-3">{caution}</p>}
    </Section>
  )
}
