import type { Changes, StepSavingsList } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { billChangeQuery } from '../../api/queries.ts'
import { BillBridge } from '../../charts/bill-bridge.tsx'
import { billWindows, defaultFrom, utcDay } from '../../format/bill-windows.ts'
import { billBridge, dollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { dated, dayMs, minuteMs, utcClock } from '../../format/time.ts'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState } from '../../parts/states.tsx'
import type { BillDays } from '../../url-parameters.ts'
import { barLines, causeLines, hasMissingHours, stepTableNote, type CauseLine } from './bill-causes.ts'

/** The run rate of two days, and the causes of the difference. */
export function BillChange({ cluster, steps }: { cluster: string | undefined; steps: StepSavingsList | undefined }) {
  const { from, to } = useSearch({ from: '/shell/savings' })
  const now = useNow(minuteMs)
  const days = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
  const windows = billWindows(days, now)
  const changes = useQuery(billChangeQuery(cluster, windows))
  const [since, until] = [dated(from ?? defaultFrom(now)), to === undefined ? 'now' : `on ${dated(to)}`]
  const against = to === undefined ? `of the last 24 complete hours, through ${utcClock(windows.to)}` : until
  return (
    <Section
      title="Change of the bill"
      meta={`run rate on ${since} compared with the run rate ${against}`}
      end={<Days days={days} now={now} />}
    >
      <QueryState query={changes} what="The change of the bill">
        {({ waterfall }) => <Bridge waterfall={waterfall} since={since} until={until} steps={steps} />}
      </QueryState>
    </Section>
  )
}

/** Both days are in the URL. */
function Days({ days, now }: { days: BillDays; now: Date }) {
  const navigate = useNavigate({ from: '/savings' })
  const change = (name: keyof BillDays) => (value: string) =>
    void navigate({
      search: ({ [name]: _before, ...old }) => (value === '' ? old : { ...old, [name]: value }),
      replace: true,
      resetScroll: false,
    })
  const today = utcDay(now.getTime())
  const lastDay = utcDay(now.getTime() - dayMs)
  return (
    <span className="flex flex-wrap items-center gap-2">
      <DayInput label="From" value={days.from ?? defaultFrom(now)} max={lastDay} onChange={change('from')} />
      <DayInput
        label="To"
        value={days.to ?? today}
        max={today}
        onChange={(day) => change('to')(day === today ? '' : day)}
      />
      {days.to !== undefined && (
        <button type="button" className="link" onClick={() => change('to')('')}>
          Now
        </button>
      )}
    </span>
  )
}

type DayInputProps = { label: string; value: string; max: string; onChange: (value: string) => void }

const DayInput = ({ label, value, max, onChange }: DayInputProps) => (
  <label className="flex items-center gap-1.5">
    {label}
    <input className="input" type="date" value={value} max={max} onChange={(event) => onChange(event.target.value)} />
  </label>
)

type BridgeProps = {
  waterfall: Changes['waterfall']
  since: string
  until: string
  steps: StepSavingsList | undefined
}

function Bridge({ waterfall, since, until, steps }: BridgeProps) {
  const { run_rate: rate, causes } = waterfall ?? {}
  if (!rate || !causes) return <Message icon="clock" title="No data to compare" />
  if (rate.before === 0) return <NoData since={since} />
  const lines = causeLines(causes)
  const shown = billBridge(
    rate.before,
    lines.map(({ usd }) => usd),
  )
  const bars = barLines(lines)
  const note = steps ? stepTableNote(lines, steps.total.off_the_bill, since) : ''
  const drawn = billBridge(
    rate.before,
    bars.map(({ usd }) => usd),
  )
  return (
    <div className="grid gap-x-10 gap-y-5 wide:grid-cols-[340px_minmax(0,1fr)]">
      <div>
        <p>
          <span className="fig">
            {rate.difference > 0 ? '+' : ''}
            {dollars(rate.difference)}
          </span>{' '}
          <span className="text-ink-3">/month since {since}</span>
        </p>
        <p className="mt-2 text-ink-2">{summaryOf(rate, lines)}</p>
        <dl className="mt-4 grid grid-cols-[1fr_auto]">
          {lines.map(({ key, title, detail }, index) => (
            <Line key={key} title={title} detail={detail} amount={shown.changes[index] ?? ''} />
          ))}
          <dt className="border-t border-ink py-1.5 font-semibold">Total</dt>
          <dd className="border-t border-ink py-1.5 text-right font-semibold tabular-nums">{shown.total}</dd>
        </dl>
      </div>
      <div className="min-w-0">
        <Legend />
        <BillBridge
          before={rate.before}
          changes={bars.map(({ usd }) => usd)}
          words={[
            { name: since.replace(/ \d{4}$/, ''), below: 'run rate', amount: drawn.before },
            ...bars.map(({ short, isStep }, index) => ({
              ...{ name: short, below: isStep ? 'plan step' : '', isStep },
              amount: drawn.changes[index] ?? '',
            })),
            { name: until.replace(/^on /, '').replace(/ \d{4}$/, ''), below: 'run rate', amount: drawn.now },
          ]}
          label={`The run rate changed from ${drawn.before} on ${since} to ${drawn.now} ${until}`}
        />
        <p className="mt-2 text-sm text-ink-3">Computed from node hours and prices, without estimates.</p>
        {note !== '' && <p className="mt-1 text-sm text-ink-3">{note}</p>}
        {hasMissingHours(causes) && (
          <p className="mt-1 text-sm text-ink-3">Some hours have no data. The run rate counts only hours with data.</p>
        )}
      </div>
    </div>
  )
}

function NoData({ since }: { since: string }) {
  const navigate = useNavigate({ from: '/savings' })
  const now = useNow(minuteMs)
  const weekAgo = utcDay(now.getTime() - 7 * dayMs)
  return (
    <Message
      icon="clock"
      title={`No cost data on ${since}`}
      actions={
        <button
          type="button"
          className="button"
          onClick={() => void navigate({ search: (old) => ({ ...old, from: weekAgo }), replace: true })}
        >
          Compare with {dated(weekAgo)}
        </button>
      }
    >
      No cluster was connected on this day. Choose a later day.
    </Message>
  )
}

const Line = ({ title, detail, amount }: { title: string; detail: string; amount: string }) => (
  <>
    <dt className="border-b border-rule py-1.5 pr-3">
      {title}
      {detail !== '' && <span className="block text-sm text-ink-3">{detail}</span>}
    </dt>
    <dd className="border-b border-rule py-1.5 text-right tabular-nums">{amount}</dd>
  </>
)

/** The direction of the bill, and the part of the plan steps in it. */
function summaryOf(
  { before, difference }: { before: number; difference: number },
  lines: readonly CauseLine[],
): string {
  const direction = Math.abs(difference) < 0.005 ? 'stayed the same' : difference < 0 ? 'fell' : 'rose'
  const by = direction === 'stayed the same' ? '' : ` by ${percent(Math.abs(difference) / before)}`
  const steps = lines.filter(({ isStep }) => isStep).reduce((sum, { usd }) => sum + usd, 0)
  const credit = steps < -0.005 ? ` Plan steps saved ${dollars(-steps)}/month.` : ''
  const joined = lines.find(({ key }) => key === 'new_clusters')
  return `The bill ${direction}${by}.${credit}${joined ? ` New clusters added ${dollars(joined.usd)}/month.` : ''}`
}

const Legend = () => (
  <p className="mb-1 flex flex-wrap gap-x-4 text-sm text-ink-3 wide:justify-end">
    <span className="flex items-center gap-1.5">
      <span className="size-2.5 flex-none bg-[var(--accent-fill)]" aria-hidden="true" />
      Plan steps
    </span>
    <span className="flex items-center gap-1.5">
      <span className="size-2.5 flex-none bg-[var(--unallocated)]" aria-hidden="true" />
      Other causes
    </span>
  </p>
)
