import type { StepSavings, StepSavingsList } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { verificationLabels } from '../../format/labels.ts'
import { exactDollars, exactSavings } from '../../format/money.ts'
import { count, finePercent, number, withUnits } from '../../format/quantity.ts'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Instant } from '../../parts/instant.tsx'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state-tags.tsx'
import { Message } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { removedNodesText, healthRows, stepsCsv, totalSentence, type HealthRow } from './step-rows.ts'

/** Each applied step: what it promised and what left the bill. */
export function StepsSaved({ steps }: { steps: StepSavingsList }) {
  const { rows, total, is_complete: isComplete } = steps
  return (
    <Section title="Plan steps: bankable and realized savings" meta={count(rows.length, 'applied step')} end="$/month">
      {rows.length === 0 ? (
        <Message icon="search" title="No applied steps">
          Apply a recommendation of the plan. This table then shows how much its step lowered the bill.
        </Message>
      ) : (
        <>
          <Table
            isStacked
            label="Steps: promised and measured"
            columns={columnsFor(total)}
            rows={rows}
            rowKey={({ id }) => id}
            footer={<Total total={total} />}
          />
          <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
            <p className="text-sm text-ink-3">
              {totalSentence(total)}
              {isComplete ? '' : ' Older steps are not included.'}
            </p>
            <DownloadCsv name="savings-by-step" rows={stepsCsv(rows)} />
          </div>
        </>
      )}
    </Section>
  )
}

const freedHeading = 'Capacity freed, nodes not removed'

const columnsFor = (total: StepSavingsList['total']): Column<StepSavings>[] => [
  { header: 'Step', className: 'may-wrap', cell: (step) => <StepName step={step} /> },
  { header: 'Applied', className: 'may-wrap', cell: ({ applied_at: at }) => <Instant at={at} /> },
  { header: 'Bankable when approved', align: 'end', cell: ({ promised }) => exactSavings(promised) },
  { header: 'Nodes removed', className: 'may-wrap', cell: (step) => <Gone step={step} /> },
  { header: 'Bill reduction', align: 'end', cell: (step) => <b>{exactSavings(step.off_the_bill)}</b> },
  { header: freedHeading, align: 'end', className: 'may-wrap', cell: (step) => exactDollars(step.capacity_freed) },
  { header: 'Reverted', className: 'may-wrap', cell: (step) => <Reverted step={step} /> },
  ...(total.not_observed === 0 ? [] : [notObserved]),
  { header: 'State', cell: ({ state }) => <StepStateTag state={state} /> },
]

const notObserved: Column<StepSavings> = {
  header: 'Not observed',
  align: 'end',
  cell: (step) => exactDollars(step.not_observed),
}

function StepName({ step }: { step: StepSavings }) {
  const { id, title, cluster_id: cluster, cluster_name: name, is_in_plan: isInPlan } = step
  return (
    <span id={id}>
      {isInPlan ? (
        <Link to="/recommendations" search={{ cluster }} hash={id} className="main hover:underline">
          {withUnits(title)}
        </Link>
      ) : (
        <span className="main">{withUnits(title)}</span>
      )}
      <span className="block text-sm text-ink-3">
        {name} · {step.changes_applied} of {count(step.changes, 'change')} applied
      </span>
    </span>
  )
}

function Gone({ step }: { step: StepSavings }) {
  const { main, note } = removedNodesText(step)
  return (
    <>
      {main}
      {note !== '' && (
        <span className="block max-w-[26ch] text-sm wide:min-w-[22ch] whitespace-normal text-ink-3">{note}</span>
      )}
    </>
  )
}

function Reverted({ step }: { step: StepSavings }) {
  const { changes, changes_reverted: many, reverted, reverted_names: names } = step
  if (many === 0) return <span className="text-ink-3">none</span>
  return (
    <>
      <State tone="danger" icon="undo">
        {many} of {changes}
      </State>
      <span className="block max-w-[26ch] text-sm whitespace-normal text-ink-3">
        {names.join(', ')}, {exactDollars(reverted)}
      </span>
    </>
  )
}

function StepStateTag({ state }: { state: StepSavings['state'] }) {
  const { word, tone } = verificationLabels[state]
  return (
    <State tone={tone} {...(tone === 'danger' ? { icon: 'undo' as const } : {})}>
      {word}
    </State>
  )
}

function Total({ total }: { total: StepSavingsList['total'] }) {
  const { nodes_gone: gone, nodes_named: named } = total
  return (
    <tr className="font-semibold">
      <td>Total</td>
      <td />
      <td className="num" data-heading="Bankable when approved">
        {exactSavings(total.promised)}
      </td>
      <td data-heading="Nodes removed">{gone === null || named === null ? '–' : `${gone} of ${named}`}</td>
      <td className="num" data-heading="Bill reduction">
        {exactSavings(total.off_the_bill)}
      </td>
      <td className="num" data-heading={freedHeading}>
        {exactDollars(total.capacity_freed)}
      </td>
      <td data-heading="Reverted">{exactDollars(total.reverted)}</td>
      {total.not_observed !== 0 && (
        <td className="num" data-heading="Not observed">
          {exactDollars(total.not_observed)}
        </td>
      )}
      <td />
    </tr>
  )
}

/** Failures of the changed containers before and after. Omitted without data. */
export function StepHealth({ steps }: { steps: StepSavingsList }) {
  const rows = healthRows(steps.rows)
  if (rows.length === 0) return null
  const regressions = rows.filter(({ message }) => message !== '').length
  return (
    <Section
      title="Health after the change"
      meta="7 days before and up to 7 days after"
      end={regressions === 0 ? 'no regression' : count(regressions, 'regression')}
    >
      <Table
        isStacked
        label="Health after the change"
        columns={healthColumns}
        rows={rows}
        rowKey={({ key }) => key}
        isAlarming={({ message }) => message !== ''}
      />
    </Section>
  )
}

const throttled = (share: number | null) => (share === null ? '–' : finePercent(share))

const healthColumns: Column<HealthRow>[] = [
  {
    header: 'Changed workloads',
    className: 'may-wrap',
    cell: ({ name, below }) => (
      <>
        <span className="main">{name}</span>
        <span className="block text-sm whitespace-normal text-ink-3">{below}</span>
      </>
    ),
  },
  { header: 'Restarts', align: 'end', cell: (row) => <Change row={row} of={({ restarts }) => number(restarts)} /> },
  { header: 'OOM kills', align: 'end', cell: (row) => <Change row={row} of={(each) => number(each.oom_kills)} /> },
  { header: 'Throttled', align: 'end', cell: (row) => <Change row={row} of={(each) => throttled(each.throttled)} /> },
  {
    header: 'Result',
    className: 'may-wrap',
    cell: ({ message }) =>
      message === '' ? (
        <State tone="ok">No regression</State>
      ) : (
        <State tone="danger" icon="undo">
          {message}
        </State>
      ),
  },
]

function Change({ row, of }: { row: HealthRow; of: (counts: HealthRow['before']) => string }) {
  return (
    <>
      <span className="text-ink-3">{of(row.before)} →</span> {of(row.since)}
    </>
  )
}
