import type { Savings } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { savingsQuery } from '../api/queries.ts'
import { addedUp } from '../format/money.ts'
import { month } from '../format/time.ts'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { Table, type Column } from '../parts/table.tsx'
import { useMaySeeBill } from '../shell/page-access.ts'
import { BillChange } from './savings/bill-change.tsx'
import { Funnel } from './savings/funnel.tsx'
import { hasMoney } from './savings/has-money.ts'
import { SavingsHistory } from './savings/savings-history.tsx'
import { OverTime } from './savings/over-time.tsx'
import { StepHealth, StepsSaved } from './savings/step-savings.tsx'

export function SavingsPage() {
  const { cluster } = useSearch({ from: '/shell/savings' })
  const savings = useQuery(savingsQuery(cluster))
  const maySeeBill = useMaySeeBill()
  const steps = savings.data?.steps
  return (
    <Page title="Savings" sub="how the bill changed, and what applied changes saved">
      <div className="grid gap-6">
        {maySeeBill && <BillChange cluster={cluster} steps={steps} />}
        {steps && <StepsSaved steps={steps} />}
        {steps && <StepHealth steps={steps} />}
        <QueryState query={savings} what="The savings">
          {(known) => (
            <div className="grid gap-x-8 gap-y-6 wide:grid-cols-2">
              <Funnel savings={known} />
              <div className="grid content-start gap-6">
                <OverTime savings={known} />
                <ByMonth savings={known} />
              </div>
            </div>
          )}
        </QueryState>
        {savings.data?.done && <SavingsHistory cluster={cluster} done={savings.data.done} />}
      </div>
    </Page>
  )
}

type Month = Savings['rows'][number]

const amounts = {
  'Recommended $/month': ({ estimated }: Month) => estimated,
  'Approved $/month': ({ approved }: Month) => approved,
  'Implemented $/month': ({ implemented }: Month) => implemented,
  'Resolved $/month': ({ resolved }: Month) => resolved,
  'Realized $': ({ verified }: Month) => verified,
}

/** Each column adds up to its total. */
function monthsTable(rows: readonly Month[]) {
  const sums = Object.entries(amounts).map(([header, of]) => ({
    header,
    of,
    ...addedUp(rows.map((row) => of(row) ?? 0)),
  }))
  const columns: Column<Month>[] = [
    { header: 'Month', cell: (row) => month(row.month ?? '') },
    ...sums.map(({ header, of, parts }): Column<Month> => ({
      header,
      align: 'end',
      cell: (row, index) => (of(row) === null ? '–' : parts[index]),
    })),
  ]
  const footer = (
    <tr className="font-semibold">
      <td>Total</td>
      {sums.map(({ header, total }) => (
        <td key={header} className="num" data-heading={header}>
          {total}
        </td>
      ))}
    </tr>
  )
  return { columns, footer }
}

function ByMonth({ savings }: { savings: Savings }) {
  const rows = savings.rows.filter(hasMoney)
  return (
    <Section
      title="By month"
      meta="Estimates in $/month, realized savings in $. Resolved: applied without being marked as implemented"
    >
      {rows.length === 0 ? (
        <Message icon="clock" title="No verified savings">
          Plimsoll verifies implemented changes with the next snapshots. Realized savings start then.
        </Message>
      ) : (
        <Table
          isStacked
          label="Savings by month"
          {...monthsTable(rows)}
          rows={rows}
          rowKey={(row) => row.month ?? ''}
        />
      )}
    </Section>
  )
}
