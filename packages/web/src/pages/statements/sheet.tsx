import type { Statement } from '@plimsoll/contract'
import { STATEMENT_PARTS } from '@plimsoll/engine/vocabulary'
import { exactDollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import {
  budgetWords,
  incompleteWords,
  changeOf,
  headline,
  printedHead,
  statementAmounts,
  stateNotes,
  stateWords,
  type StatementAmounts,
} from '../../format/statements.ts'
import { month, utcDay } from '../../format/time.ts'
import { Logo } from '../../parts/logo.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/state-tags.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { DiffBar } from '../changes/diff-bar.tsx'
import { changeLines, type ChangeLine } from './change-lines.ts'

/** The statement of one team, as it is printed. */
export function Sheet({ statement }: { statement: Statement }) {
  const amounts = statementAmounts(statement)
  return (
    <article className="statement" aria-label={`Statement of ${headline(statement)}`}>
      <p className="statement-mark">
        <Logo />
        <span>{printedHead(statement)}</span>
      </p>
      <SheetHead statement={statement} total={amounts.total} />
      <OwnCost statement={statement} amounts={amounts} />
      <SharedCost statement={statement} amounts={amounts} />
      <Section title="Adjustments">
        {statement.adjustments.length === 0 ? (
          <p className="text-ink-2">None. Corrections of closed months will appear here.</p>
        ) : (
          <ul>
            {statement.adjustments.map(({ cause, source }, at) => (
              <li key={at} className="flex justify-between gap-4">
                <span>
                  {cause} <span className="text-ink-3">{source}</span>
                </span>
                {amounts.adjustments[at]}
              </li>
            ))}
          </ul>
        )}
      </Section>
      <p className="statement-total">
        <b>Total</b>
        <span className="text-ink-2">
          own cost {amounts.own} + shared cost {amounts.shared}
        </span>
        <b className="ml-auto tabular-nums">{amounts.total}</b>
      </p>
      <Budgets statement={statement} />
      <WhatChanged statement={statement} />
      <p className="statement-foot">
        {stateWords[statement.state]}: {stateNotes[statement.state]}
      </p>
    </article>
  )
}

function SheetHead({ statement, total }: { statement: Statement; total: string }) {
  const { window, hours_with_data: hours, state, estimated, unpriced } = statement
  const last = new Date(new Date(window.to).getTime() - 1).toISOString()
  const [budget] = statement.budgets ?? []
  return (
    <div className="statement-head">
      <div>
        <h2>{headline(statement)}</h2>
        <p className="text-ink-2">
          {utcDay(window.from)} – {utcDay(last)}, {hours} of {window.hours} hours with data, UTC{' '}
          <Tag tone="warn">{stateWords[state]}</Tag>
        </p>
        {(unpriced || estimated > 0) && (
          <p className="text-ink-2">
            {unpriced && 'Some resources have no price and are not in these amounts. '}
            {estimated > 0 && `${exactDollars(estimated)} have estimated prices.`}
          </p>
        )}
      </div>
      <p className="statement-sum">
        <span className="text-ink-2">Total</span>
        <b>{total}</b>
        {budget && <span className="text-ink-2">{budgetWords(budget, { isOpen: state === 'open' })}</span>}
      </p>
    </div>
  )
}

type Part = { statement: Statement; amounts: StatementAmounts }

function OwnCost({ statement: { own }, amounts }: Part) {
  type Row = Statement['own']['rows'][number]
  const clusters = new Set(own.rows.map(({ cluster }) => cluster))
  const columns: Column<Row>[] = [
    { header: 'Namespace', cell: ({ namespace }) => <span className="main">{namespace}</span> },
    ...(clusters.size > 1 ? [{ header: 'Cluster', cell: ({ cluster }: Row) => cluster }] : []),
    ...amounts.columns.map((header, at): Column<Row> => ({
      header,
      align: 'end',
      cell: (_row, index) => amounts.rows[index]?.cells[at] ?? '–',
    })),
    {
      header: 'Total',
      align: 'end',
      cell: (_row, index) => <b className="font-medium">{amounts.rows[index]?.total}</b>,
    },
  ]
  return (
    <Section title="Own cost" meta="workloads of the team, by namespace">
      {own.rows.length === 0 ? (
        <p className="text-ink-2">The team has no own cost in this month.</p>
      ) : (
        <Table
          isStacked
          label="Own cost"
          columns={columns}
          rows={own.rows}
          rowKey={({ cluster, namespace }) => `${cluster}/${namespace}`}
          footer={
            <tr>
              <td>Own cost</td>
              {clusters.size > 1 && <td />}
              {amounts.columns.map((header, at) => (
                <td key={header} className="num" data-heading={header}>
                  {amounts.columnTotals[at]}
                </td>
              ))}
              <td className="num" data-heading="Total">
                {amounts.own}
              </td>
            </tr>
          }
        />
      )}
    </Section>
  )
}

function SharedCost({ statement: { shared }, amounts }: Part) {
  type Row = Statement['shared']['parts'][number]
  const isWhole = shared.parts.every(({ all }) => all !== null)
  const columns: Column<Row>[] = [
    {
      header: 'Part',
      cell: ({ part, namespaces }) => (
        <span className="main">
          {STATEMENT_PARTS[part]}
          {namespaces.length > 0 && `: ${namespaces.join(', ')}`}
        </span>
      ),
    },
    { header: 'Rule', className: 'wrap', cell: ({ rule }) => rule },
    ...(isWhole
      ? [
          { header: 'All teams', align: 'end' as const, cell: ({ all }: Row) => exactDollars(all ?? 0) },
          {
            header: 'Share',
            align: 'end' as const,
            cell: ({ all, amount }: Row) => percent(all ? amount / all : null),
          },
        ]
      : []),
    { header: 'Amount', align: 'end', cell: (_row, at) => <b className="font-medium">{amounts.parts[at]}</b> },
  ]
  return (
    <Section title="Shared cost" meta="each part with its rule">
      <Table
        isStacked
        label="Shared cost"
        columns={columns}
        rows={shared.parts}
        rowKey={({ part }) => part}
        footer={
          <tr>
            <td>Shared cost</td>
            <td />
            {isWhole && <td />}
            {isWhole && <td />}
            <td className="num" data-heading="Amount">
              {amounts.shared}
            </td>
          </tr>
        }
      />
    </Section>
  )
}

function Budgets({ statement: { budgets, month: of } }: { statement: Statement }) {
  if (!budgets || budgets.length === 0) return null
  return (
    <Section title="Budget" meta={month(of)}>
      <ul className="grid gap-3">
        {budgets.map(({ id, name, amount, spent, share }) => (
          <li key={id}>
            <p className="flex flex-wrap justify-between gap-x-4">
              <span>
                {name}
                {!share && ' (without shared cost)'}
              </span>
              <span className="text-ink-2">
                {exactDollars(spent)} of {exactDollars(amount)}
                {amount > 0 && ` (${percent(spent / amount)})`}
              </span>
            </p>
            <Meter amount={amount} spent={spent} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Meter({ amount, spent }: { amount: number; spent: number }) {
  const max = Math.max(amount, spent) * 1.05
  const at = (usd: number) => (max === 0 ? 0 : (100 * usd) / max)
  return (
    <span className="statement-meter" role="img" aria-label={`${exactDollars(spent)} of ${exactDollars(amount)}`}>
      <span className={spent > amount ? 'over' : ''} style={{ width: `${at(spent)}%` }} />
      <i style={{ left: `${at(amount)}%` }} />
    </span>
  )
}

function WhatChanged({ statement }: { statement: Statement }) {
  const { before, own } = statement.changes
  const lines = changeLines(statement)
  const max = Math.max(0, ...lines.map(({ usd }) => Math.abs(usd)))
  const columns: Column<ChangeLine>[] = [
    { header: 'Cause', isUnsortable: true, cell: ({ word }) => <span className="main">{word}</span> },
    { header: 'Largest change', isUnsortable: true, className: 'wrap', cell: ({ text }) => text },
    { header: 'Size', isUnsortable: true, cell: ({ usd }) => <DiffBar usd={usd} max={max} /> },
    { header: 'Change', isUnsortable: true, align: 'end', cell: ({ amount }) => amount },
  ]
  const { compare_window: window } = own
  const last = new Date(Math.max(0, new Date(window.to).getTime() - 1)).toISOString()
  if (own.compare_data_status === 'no_data') {
    return (
      <Section title="What changed since the month before">
        <p className="text-ink-2">The month before has no data, so there is no comparison.</p>
      </Section>
    )
  }
  return (
    <Section
      title="What changed since the month before"
      end={`${exactDollars(before)} → ${exactDollars(statement.total)}`}
      meta={`compared with ${utcDay(window.from)} – ${utcDay(last)}${incompleteWords(own.compare_data_status)}`}
    >
      {lines.length === 0 ? (
        <p className="text-ink-2">The cost did not change.</p>
      ) : (
        <Table
          isStacked
          label="What changed since the month before"
          columns={columns}
          rows={lines}
          rowKey={({ key }) => key}
          order={{ sort: null, onSort: () => undefined }}
          footer={
            <tr>
              <td>Change</td>
              <td />
              <td />
              <td className="num" data-heading="Change">
                {changeOf({ total: statement.total, before })}
              </td>
            </tr>
          }
        />
      )}
    </Section>
  )
}
