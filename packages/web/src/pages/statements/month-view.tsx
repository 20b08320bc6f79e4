import type { StatementList } from '@plimsoll/contract'
import { STATEMENT_PARTS } from '@plimsoll/engine/vocabulary'
import { Link } from '@tanstack/react-router'
import { exactDollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import {
  budgetWords,
  changeOf,
  incompleteWords,
  monthAmounts,
  monthRows,
  notChargedWords,
  type MonthAmounts,
  type MonthRow,
} from '../../format/statements.ts'
import { utcDay } from '../../format/time.ts'
import { Section } from '../../parts/section.tsx'
import { Message } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

/** The month: its total, the teams, and how they add up. */
export function MonthView({ list }: { list: StatementList }) {
  const rows = monthRows(list)
  const amounts = monthAmounts(rows, list)
  if (list.data_status === 'no_data') return <Message icon="clock" title="No data in this month" />
  if (rows.length === 0) return <Message icon="clock" title="No cost in this month" />
  return (
    <div className="grid gap-y-6">
      <Figures list={list} total={amounts.total} />
      <Section title="Teams" meta="open a team for its sheet">
        <Table
          isStacked
          label="Teams"
          columns={columnsOf(amounts, list)}
          rows={rows}
          rowKey={({ key }) => key}
          footer={
            <>
              {amounts.rounding !== null && (
                <tr className="font-normal text-ink-2">
                  <td>Rounding to cents</td>
                  <td />
                  <td />
                  <td className="num" data-heading="Total">
                    {amounts.rounding}
                  </td>
                  <td />
                  <td />
                </tr>
              )}
              <tr>
                <td>Total</td>
                <td />
                <td />
                <td className="num" data-heading="Total">
                  {amounts.total}
                </td>
                <td />
                <td />
              </tr>
            </>
          }
        />
      </Section>
      <Sharing list={list} />
    </div>
  )
}

function Figures({ list, total }: { list: StatementList; total: string }) {
  const { window, hours_with_data: hours, before, compare_window: compared, compare_data_status: status } = list
  const isCompared = status !== 'no_data'
  const last = (to: string) => new Date(Math.max(0, new Date(to).getTime() - 1)).toISOString()
  return (
    <div className="statement-head">
      <p className="text-ink-2">
        {utcDay(window.from)} – {utcDay(last(window.to))}, {hours} of {window.hours} hours with data, UTC
        <br />
        {isCompared
          ? `Compared with ${utcDay(compared.from)} – ${utcDay(last(compared.to))}: ${exactDollars(before)}${incompleteWords(status)}`
          : 'The month before has no data, so there is no comparison.'}
      </p>
      <p className="statement-sum">
        <span className="text-ink-2">Total</span>
        <b>{total}</b>
        {isCompared && <span className="text-ink-2">{changeOf(list)}</span>}
      </p>
    </div>
  )
}

function columnsOf(
  amounts: MonthAmounts,
  { month, state, compare_data_status: compared }: StatementList,
): Column<MonthRow>[] {
  return [
    {
      header: 'Team',
      cell: ({ word, team }) =>
        team === null ? (
          <span className="main">{word}</span>
        ) : (
          <Link to="/statements" search={(old) => ({ ...old, month, team })} className="main hover:underline">
            {word}
          </Link>
        ),
      sortBy: ({ word }) => word,
    },
    { header: 'Own cost', align: 'end', cell: (_row, at) => amounts.own[at], sortBy: ({ own }) => own ?? 0 },
    {
      header: 'Shared cost',
      align: 'end',
      cell: (_row, at) => amounts.shared[at],
      sortBy: ({ shared }) => shared ?? 0,
    },
    {
      header: 'Total',
      align: 'end',
      cell: (_row, at) => <b className="font-medium">{amounts.totals[at]}</b>,
      sortBy: ({ total }) => total,
    },
    {
      header: 'Change',
      align: 'end',
      cell: (_row, at) => (compared === 'no_data' ? '–' : amounts.changes[at]),
      sortBy: ({ total, before }) => total - (before ?? total),
    },
    {
      header: 'Budget',
      align: 'end',
      cell: ({ budgets }) => <BudgetCell budgets={budgets} isOpen={state === 'open'} />,
    },
  ]
}

function BudgetCell({ budgets, isOpen }: { budgets: MonthRow['budgets']; isOpen: boolean }) {
  const [budget] = budgets ?? []
  if (!budget) return '–'
  return (
    <>
      {exactDollars(budget.amount)}
      <span className={`block text-sm ${budget.spent > budget.amount ? 'text-danger' : 'text-ink-3'}`}>
        {budgetWords(budget, { isOpen })}
      </span>
    </>
  )
}

/** The rules of sharing, and what no team pays. */
function Sharing({ list: { sharing, not_charged: left, total } }: { list: StatementList }) {
  return (
    <Section title="How the month adds up" meta="teams + unowned + not charged = total">
      <ul className="grid gap-1 text-ink-2">
        {sharing.map(({ part, rule, amount, namespaces }) => (
          <li key={part}>
            <b className="font-medium text-ink">
              {STATEMENT_PARTS[part]}
              {namespaces.length > 0 && `: ${namespaces.join(', ')}`}
            </b>
            {amount !== null && ` ${exactDollars(amount)}`}. {rule}.
          </li>
        ))}
        {left && left.total > 0 && (
          <li>
            <b className="font-medium text-ink">Not charged</b> {exactDollars(left.total)}
            {total > 0 && ` (${percent(left.total / total)})`}: {notChargedWords(left).join(', ')}.
          </li>
        )}
      </ul>
    </Section>
  )
}
