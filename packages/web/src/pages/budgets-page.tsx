import type { Budget } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { budgetsQuery, clustersQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import {
  certainty,
  countWords,
  excessOf,
  goingOver,
  lastDay,
  outlookLabels,
  outlookOf,
  periodState,
  costWords,
  treeRows,
  unassignedWords,
  verdict,
  type TreeRow,
} from '../format/budgets.ts'
import { change, dollars, dollarsOrDash } from '../format/money.ts'
import { percent } from '../format/quantity.ts'
import { DownloadCsv } from '../parts/download-csv.tsx'
import { Icon } from '../parts/icon.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { State } from '../parts/state-tags.tsx'
import { Message, QueryState } from '../parts/states.tsx'
import { tableCsv } from '../parts/table-csv.ts'
import { Table, type Column } from '../parts/table.tsx'
import { useMayOpen } from '../shell/page-access.ts'
import { BudgetBar } from './budgets/budget-bar.tsx'
import { BudgetHistory, DeleteBudget } from './budgets/budget-dialogs.tsx'
import { BudgetForm } from './budgets/budget-form.tsx'

export function BudgetsPage() {
  const budgets = useQuery(budgetsQuery)
  const queries = useQueryClient()
  const may = useMay()
  const [task, setTask] = useState<Task | null>(null)
  const nameOf = useClusterNames(budgets.data?.budgets ?? [])
  const create = may('budgets:write') && (
    <button type="button" className="button button-primary" onClick={() => setTask({ kind: 'edit' })}>
      <Icon name="plus" />
      Create budget
    </button>
  )
  return (
    <Page title="Budgets" hasViews sub={budgets.data && countWords(budgets.data.counts)} actions={create}>
      <QueryState query={budgets} what="The list of budgets">
        {({ budgets: all }) =>
          all.length === 0 ? (
            <Message icon="plus" title="No budget yet">
              A budget compares the cost of a scope with an amount and warns before the cost exceeds it.
            </Message>
          ) : (
            <div className="grid gap-y-6">
              <GoingOver budgets={goingOver(all)} />
              <AllBudgets budgets={all} nameOf={nameOf} onTask={setTask} />
              <PastPeriods budgets={all} nameOf={nameOf} />
            </div>
          )
        }
      </QueryState>
      {task && (
        <TaskDialog
          task={task}
          budgets={budgets.data?.budgets ?? []}
          nameOf={nameOf}
          onClose={() => setTask(null)}
          onDone={() => {
            setTask(null)
            void queries.invalidateQueries({ queryKey: budgetsQuery.queryKey })
          }}
        />
      )}
    </Page>
  )
}

/** The open dialog. An edit without a budget creates one. */
type Task = { kind: 'edit'; budget?: Budget } | { kind: 'delete' | 'history'; budget: Budget }

type NameOf = (clusterId: string) => string

type TaskProps = {
  task: Task
  budgets: readonly Budget[]
  nameOf: NameOf
  onClose: () => void
  onDone: () => void
}

function TaskDialog({ task, budgets, nameOf, onClose, onDone }: TaskProps) {
  if (task.kind === 'edit')
    return <BudgetForm budget={task.budget} budgets={budgets} onClose={onClose} onSaved={onDone} />
  if (task.kind === 'delete') return <DeleteBudget budget={task.budget} onClose={onClose} onDeleted={onDone} />
  const nameOfAny = (id: string) => budgets.find((each) => each.id === id)?.name ?? nameOf(id)
  return <BudgetHistory budget={task.budget} nameOf={nameOfAny} onClose={onClose} />
}

/** Loads the clusters only if a scope names one. */
function useClusterNames(budgets: readonly Budget[]): NameOf {
  const mayOpen = useMayOpen()
  const clusters = useQuery({
    ...clustersQuery,
    enabled: mayOpen('/clusters') && budgets.some(({ scope }) => scope.clusters),
  })
  return (id) => clusters.data?.clusters.find((cluster) => cluster.id === id)?.name ?? id
}

/** The budgets that the cost exceeds or will exceed. */
function GoingOver({ budgets }: { budgets: readonly Budget[] }) {
  if (budgets.length === 0) return null
  return (
    <Section title="Over or likely to exceed" meta="highest probability first">
      <ul className="grid gap-4">
        {budgets.map((budget) => (
          <li key={budget.id}>
            <p className="flex flex-wrap items-baseline gap-x-3">
              <b>{budget.name}</b>
              <StateOf budget={budget} />
            </p>
            <p className="text-lg font-semibold">{verdict(budget)}</p>
            <p className="text-ink-2">{certainty(budget)}</p>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function StateOf({ budget }: { budget: Budget }) {
  const { word, tone } = outlookLabels[outlookOf(budget)]
  return <State tone={tone}>{word}</State>
}

type AllProps = { budgets: readonly Budget[]; nameOf: NameOf; onTask: (task: Task) => void }

function AllBudgets({ budgets, nameOf, onTask }: AllProps) {
  const may = useMay()
  const actionsOf = (budget: Budget) => (
    <span className="flex gap-1">
      {may('budgets:write') && <Action onClick={() => onTask({ kind: 'edit', budget })}>Edit</Action>}
      <Action onClick={() => onTask({ kind: 'history', budget })}>History</Action>
      {may('budgets:delete') && <Action onClick={() => onTask({ kind: 'delete', budget })}>Delete</Action>}
    </span>
  )
  return (
    <Section
      title="All budgets"
      end={<DownloadCsv name="budgets" rows={budgetsCsv(budgets, nameOf)} />}
      meta="Each bar shows the cost so far, the 80 % forecast range and the amount."
    >
      <Table
        isStacked
        label="All budgets"
        columns={columns(nameOf, actionsOf)}
        rows={treeRows(budgets)}
        rowKey={({ budget }) => budget.id}
        isAlarming={({ budget }) => ['over', 'sure'].includes(outlookOf(budget))}
      />
    </Section>
  )
}

function Action({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className="button button-small button-quiet" onClick={onClick}>
      {children}
    </button>
  )
}

/** The bar of a row fits its own amount and forecast: budgets differ by orders of magnitude. */
const scaleOf = ({ current }: Budget) =>
  current ? Math.max(current.amount, current.forecast.spent, current.forecast.band80?.upper ?? 0) * 1.1 : 0

const columns = (nameOf: NameOf, actionsOf: (budget: Budget) => ReactNode): Column<TreeRow>[] => [
  {
    header: 'Budget',
    cell: ({ budget, depth }) => (
      <span style={{ paddingInlineStart: `${depth * 1.25}rem` }} className="main">
        {budget.name}
      </span>
    ),
    csv: ({ budget }) => budget.name,
  },
  {
    header: 'Scope',
    cell: ({ budget }) => costWords(budget, nameOf),
    csv: ({ budget }) => costWords(budget, nameOf),
  },
  {
    header: 'Amount',
    align: 'end',
    cell: ({ budget }) => (
      <>
        <b>{dollars(budget.current?.amount ?? budget.amount)}</b>
        {budget.unassigned !== null && (
          <span className="block text-sm text-ink-3">{unassignedWords(budget.unassigned)}</span>
        )}
      </>
    ),
    csvHeader: 'Amount $',
    csv: ({ budget }) => budget.current?.amount ?? budget.amount,
  },
  {
    header: 'Spent',
    align: 'end',
    cell: ({ budget }) => dollarsOrDash(budget.current?.forecast.spent ?? null),
    csvHeader: 'Spent $',
    csv: ({ budget }) => budget.current?.forecast.spent,
  },
  {
    header: '% spent',
    align: 'end',
    cell: ({ budget }) => percentOrDash(shareSpent(budget)),
    csvHeader: 'Share spent',
    csv: ({ budget }) => shareSpent(budget),
  },
  { header: 'Period', className: 'w-[22%]', cell: ({ budget }) => <BudgetBar budget={budget} max={scaleOf(budget)} /> },
  {
    header: 'Forecast, 80 %',
    align: 'end',
    cell: ({ budget }) => rangeOf(budget),
    csvHeader: 'Forecast, 80 % $',
    csv: ({ budget: { current } }) =>
      current?.forecast.band80 && `${current.forecast.band80.lower}–${current.forecast.band80.upper}`,
  },
  {
    header: 'Over / under',
    align: 'end',
    cell: ({ budget }) => (budget.current ? change(excessOf(budget)) : '–'),
    csvHeader: 'Over / under $',
    csv: ({ budget }) => budget.current && excessOf(budget),
  },
  {
    header: 'State',
    cell: ({ budget }) => <StateOf budget={budget} />,
    csv: ({ budget }) => outlookLabels[outlookOf(budget)].word,
  },
  { header: 'Actions', isUnsortable: true, cell: ({ budget }) => actionsOf(budget) },
]

const shareSpent = ({ current }: Budget) =>
  current && current.amount > 0 ? current.forecast.spent / current.amount : null

const percentOrDash = (share: number | null) => (share === null ? '–' : percent(share))

const clustersOf = ({ scope }: Budget, nameOf: NameOf) => scope.clusters?.map(nameOf).join(' ') ?? 'all'

export const budgetsCsv = (budgets: readonly Budget[], nameOf: NameOf) =>
  tableCsv(
    columns(nameOf, () => null),
    treeRows(budgets),
    [
      ['From', ({ budget }) => budget.current?.forecast.from],
      ['To', ({ budget }) => budget.current?.forecast.to],
      ['Cluster', ({ budget }) => clustersOf(budget, nameOf)],
    ],
  )

const rangeOf = ({ current }: Budget) =>
  current?.forecast.band80
    ? `${dollars(current.forecast.band80.lower)}–${dollars(current.forecast.band80.upper)} by ${lastDay(current.forecast.to)}`
    : '–'

type PastRow = Budget['past'][number] & { name: string; clusters: string }

const pastRows = (budgets: readonly Budget[], nameOf: NameOf) =>
  budgets.flatMap((budget) =>
    budget.past
      .slice(0, 3)
      .map((period): PastRow => ({ name: budget.name, clusters: clustersOf(budget, nameOf), ...period })),
  )

export const pastPeriodsCsv = (budgets: readonly Budget[], nameOf: NameOf) =>
  tableCsv(pastColumns, pastRows(budgets, nameOf), [
    ['From', ({ from }) => from],
    ['To', ({ to }) => to],
    ['Cluster', ({ clusters }) => clusters],
  ])

function PastPeriods({ budgets, nameOf }: { budgets: readonly Budget[]; nameOf: NameOf }) {
  const rows = pastRows(budgets, nameOf)
  if (rows.length === 0) return null
  return (
    <Section
      title="Past periods"
      meta="the last three of each budget"
      end={<DownloadCsv name="past-budget-periods" rows={pastPeriodsCsv(budgets, nameOf)} />}
    >
      <Table
        isStacked
        label="Past periods"
        columns={pastColumns}
        rows={rows}
        rowKey={({ name, key }) => `${name} ${key}`}
      />
    </Section>
  )
}

const pastColumns: Column<PastRow>[] = [
  { header: 'Budget', cell: ({ name }) => <span className="main">{name}</span>, csv: ({ name }) => name },
  { header: 'Period', cell: ({ key }) => key, csv: ({ key }) => key },
  {
    header: 'Amount',
    align: 'end',
    cell: ({ amount }) => dollars(amount),
    csvHeader: 'Amount $',
    csv: ({ amount }) => amount,
  },
  { header: 'Cost', align: 'end', cell: ({ usd }) => dollars(usd), csvHeader: 'Cost $', csv: ({ usd }) => usd },
  {
    header: 'Over / under',
    align: 'end',
    cell: ({ usd, amount }) => change(usd - amount),
    csvHeader: 'Over / under $',
    csv: ({ usd, amount }) => usd - amount,
  },
  { header: 'State', cell: periodState, csv: periodState },
]
