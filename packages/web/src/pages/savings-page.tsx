import type { Savings } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { savingsQuery } from '../api/queries.ts'
import { dollars, exactDollars } from '../format/money.ts'
import { Explained } from '../parts/explained.tsx'
import { State } from '../parts/marks.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { Ledger } from './savings/ledger.tsx'

export function SavingsPage() {
  const { cluster } = useSearch({ from: '/shell/savings' })
  const savings = useQuery(savingsQuery(cluster))
  return (
    <Page title="Savings" sub="what was advised, what of it was done, and what came of it">
      <div className="grid gap-6">
        <QueryState query={savings} what="The ledger">
          {(known) => (
            <div className="grid gap-x-8 gap-y-6 wide:grid-cols-2">
              <Funnel savings={known} />
              <ByMonth savings={known} />
            </div>
          )}
        </QueryState>
        <Ledger cluster={cluster} />
      </div>
    </Page>
  )
}

const stages = [
  {
    key: 'estimated',
    banked: 'bankable',
    word: 'Found',
    how: 'Of what is open, approved or done, each thing once. What was rejected, replaced or has expired is not counted, nor a second time what was undone and is found again.',
  },
  {
    key: 'approved',
    banked: 'approved_bankable',
    word: 'Approved',
    how: 'Of what somebody approved and nobody rejected since.',
  },
  { key: 'implemented', banked: 'implemented_bankable', word: 'Implemented', how: 'Of what somebody marked as done.' },
] as const

type Stage = (typeof stages)[number]

/** From advice to money. What is verified is money of so many hours, not of a month, so it has no bar beside the others. */
function Funnel({ savings: { total, from, to } }: { savings: Savings }) {
  const max = Math.max(...stages.flatMap(({ key, banked }) => [total[key], total[banked]]), 1)
  return (
    <Section title="From advice to money" meta={`${from} to ${to}`}>
      <ul className="grid gap-2.5">
        {stages.map((stage) => (
          <StageRow key={stage.key} stage={stage} total={total} max={max} />
        ))}
      </ul>
      <p className="stage mt-3">
        <span>Verified</span>
        <b>
          <Explained
            title={`Verified, ${exactDollars(total.verified)} so far`}
            how="What was seen to be asked for less, hour by hour, while each change lasts: dollars, not dollars a month. It reaches the bill with the nodes that go."
          >
            {exactDollars(total.verified)} freed so far
          </Explained>
        </b>
      </p>
      {total.reverted > 0 && (
        <p className="mt-3">
          <State tone="danger" icon="undo">
            {dollars(total.reverted)}/mo was undone again
          </State>
        </p>
      )}
    </Section>
  )
}

type StageProps = { stage: Stage; total: Savings['total']; max: number }

/** What is estimated, and below it what of that leaves the bill: with the idle room on nodes that go it can be more. */
function StageRow({ stage: { key, banked, word, how }, total, max }: StageProps) {
  const [estimated, leaves] = [total[key], total[banked]]
  return (
    <li>
      <p className="stage">
        <span>{word}</span>
        <Explained
          title={`${word}: ${exactDollars(leaves)} a month would leave the bill`}
          how={how}
          parts={[
            { name: 'Bankable: leaves the bill with whole nodes', value: exactDollars(leaves) },
            { name: 'Estimated: what is asked for less', value: exactDollars(estimated) },
            ...leftOut(key, total),
          ]}
          note="Idle room goes with whole nodes, so more can leave the bill than was estimated."
        >
          <b>{dollars(leaves)}/mo</b> bankable
        </Explained>
        <span className="text-ink-2">{dollars(estimated)}/mo estimated</span>
      </p>
      {key === 'estimated' && total.left_out > 0 && (
        <p className="text-sm text-ink-3">
          Each thing once: {dollars(total.left_out)}/mo more was undone, or is found again.
        </p>
      )}
      <div className="mt-0.5 grid gap-px bg-sunken" aria-hidden="true">
        <div className="h-2 bg-[var(--ink-2)]" style={{ width: `${(100 * leaves) / max}%` }} />
        <div className="h-2 bg-[var(--unasked)]" style={{ width: `${(100 * estimated) / max}%` }} />
      </div>
    </li>
  )
}

/** With it, Found is what the open, the approved and the done ones in the list come to. */
const leftOut = (key: Stage['key'], { left_out: left }: Savings['total']) =>
  key === 'estimated' && left > 0
    ? [{ name: 'Undone, or found again: estimated, not in it', value: exactDollars(left) }]
    : []

type Month = Savings['rows'][number]

const months: Column<Month>[] = [
  { header: 'Month', cell: ({ month }) => month },
  { header: 'Found', align: 'end', cell: ({ estimated }) => dollars(estimated) },
  { header: 'Approved', align: 'end', cell: ({ approved }) => dollars(approved) },
  { header: 'Implemented', align: 'end', cell: ({ implemented }) => dollars(implemented) },
  { header: 'Done unasked', align: 'end', cell: ({ resolved }) => dollars(resolved) },
  { header: 'Verified', align: 'end', cell: ({ verified }) => <b>{exactDollars(verified)}</b> },
]

function ByMonth({ savings }: { savings: Savings }) {
  const rows = savings.rows.filter((row) => Object.values(row).some((value) => typeof value === 'number' && value > 0))
  return (
    <Section title="By month" meta="estimated $/mo; verified: $ freed in that month">
      {rows.length === 0 ? (
        <Message icon="clock" title="Nothing has been verified yet">
          What is marked as implemented is verified by the next snapshots of its cluster, and counted from then on.
        </Message>
      ) : (
        <Table isStacked label="Savings by month" columns={months} rows={rows} rowKey={({ month = '' }) => month} />
      )}
    </Section>
  )
}
