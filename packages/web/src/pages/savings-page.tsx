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
    <Page title="Savings" sub="only what was observed is counted">
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
  [
    'estimated',
    'Found',
    'Estimated a month, of all that was ever found in these months: also what has been rejected, replaced or done since. What is open now is on Recommendations.',
  ],
  ['approved', 'Approved', 'Estimated a month, of what somebody approved and nobody rejected since'],
  ['implemented', 'Implemented', 'Estimated a month, of what somebody marked as done'],
] as const

/** From advice to money. What is verified is money of so many hours, not of a month, so it has no bar beside the others. */
function Funnel({ savings: { total, from, to } }: { savings: Savings }) {
  const max = Math.max(total.estimated, 1)
  return (
    <Section title="From advice to money" meta={`${from} to ${to}`}>
      <ul className="grid gap-2.5">
        {stages.map(([key, word, how]) => (
          <li key={key}>
            <p className="flex items-baseline gap-3">
              <span className="w-28">{word}</span>
              <b>
                <Explained title={`${word}, ${exactDollars(total[key])} a month`} how={how}>
                  {dollars(total[key])}/mo
                </Explained>
              </b>
            </p>
            <div className="mt-0.5 h-3 bg-sunken" aria-hidden="true">
              <div className="h-full bg-[var(--unasked)]" style={{ width: `${(100 * total[key]) / max}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-3 flex items-baseline gap-3">
        <span className="w-28">Verified</span>
        <b>
          <Explained
            title={`Verified, ${exactDollars(total.verified)} so far`}
            how="What was observed to be saved, hour by hour, while each change lasts: dollars that were saved, not dollars a month"
          >
            {dollars(total.verified)} saved so far
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

type Month = Savings['rows'][number]

const months: Column<Month>[] = [
  { header: 'Month', cell: ({ month }) => month },
  { header: 'Found $/mo', align: 'end', cell: ({ estimated }) => dollars(estimated) },
  { header: 'Approved $/mo', align: 'end', cell: ({ approved }) => dollars(approved) },
  { header: 'Implemented $/mo', align: 'end', cell: ({ implemented }) => dollars(implemented) },
  { header: 'Done without us $/mo', align: 'end', cell: ({ resolved }) => dollars(resolved) },
  { header: 'Verified $', align: 'end', cell: ({ verified }) => <b>{dollars(verified)}</b> },
]

function ByMonth({ savings }: { savings: Savings }) {
  const rows = savings.rows.filter((row) => Object.values(row).some((value) => typeof value === 'number' && value > 0))
  return (
    <Section title="By month">
      {rows.length === 0 ? (
        <Message icon="clock" title="Nothing has been saved yet">
          What is marked as implemented is verified by the next snapshots of its cluster, and counted from then on.
        </Message>
      ) : (
        <Table isStacked label="Savings by month" columns={months} rows={rows} rowKey={({ month = '' }) => month} />
      )}
    </Section>
  )
}
