import type { Savings } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { savingsQuery } from '../api/queries.ts'
import { dollars, exactDollars } from '../format/money.ts'
import { month } from '../format/time.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { Funnel } from './savings/funnel.tsx'
import { hasMoney } from './savings/has-money.ts'
import { Ledger } from './savings/ledger.tsx'
import { OverTime } from './savings/over-time.tsx'

export function SavingsPage() {
  const { cluster } = useSearch({ from: '/shell/savings' })
  const savings = useQuery(savingsQuery(cluster, 'month'))
  return (
    <Page title="Savings" sub="what was advised, what of it was done, and what came of it">
      <div className="grid gap-6">
        <QueryState query={savings} what="The sums">
          {(known) => (
            <div className="grid gap-x-8 gap-y-6 wide:grid-cols-2">
              <Funnel savings={known} cluster={cluster} />
              <div className="grid content-start gap-6">
                <OverTime cluster={cluster} />
                <ByMonth savings={known} />
              </div>
            </div>
          )}
        </QueryState>
        <Ledger cluster={cluster} />
      </div>
    </Page>
  )
}

type Month = Savings['rows'][number]

const months: Column<Month>[] = [
  { header: 'Month', cell: (row) => month(row.month ?? '') },
  { header: 'Found $/mo', align: 'end', cell: ({ estimated }) => dollars(estimated) },
  { header: 'Approved $/mo', align: 'end', cell: ({ approved }) => dollars(approved) },
  { header: 'Marked as done $/mo', align: 'end', cell: ({ implemented }) => dollars(implemented) },
  { header: 'Done without a mark $/mo', align: 'end', cell: ({ resolved }) => dollars(resolved) },
  {
    header: 'Freed in it $',
    align: 'end',
    cell: ({ verified }) => <b>{verified === null ? '–' : exactDollars(verified)}</b>,
  },
]

function ByMonth({ savings }: { savings: Savings }) {
  const rows = savings.rows.filter(hasMoney)
  return (
    <Section title="By month" meta="estimates in $/mo, by the month they came so far; what was freed in $">
      {rows.length === 0 ? (
        <Message icon="clock" title="Nothing has been verified yet">
          What is marked as implemented is verified by the next snapshots of its cluster, and counted from then on.
        </Message>
      ) : (
        <Table isStacked label="Savings by month" columns={months} rows={rows} rowKey={(row) => row.month ?? ''} />
      )}
    </Section>
  )
}
