import type { StepSavings, StepSavingsList } from '@plimsoll/contract'
import { exactDollars } from '../../format/money.ts'
import { count, withUnits } from '../../format/quantity.ts'

/** What became of the nodes and cloud resources that a step named: a figure, and a note below it. */
export function removedNodesText(step: StepSavings): { main: string; note: string } {
  const { nodes_named: named, nodes_gone: gone, resources_named: resources, resources_gone: resourcesGone } = step
  if (named === null) return { main: '–', note: 'your role cannot see nodes' }
  if (named > 0) return { main: `${gone ?? 0} of ${named}`, note: nodeNote(step) }
  if (resources > 0) return { main: `${resourcesGone} of ${resources}`, note: 'cloud resources' }
  const worth = step.observed_capacity > 0 ? `; frees requests worth ${exactDollars(step.observed_capacity)}` : ''
  return { main: '–', note: `no nodes in this step${worth}` }
}

const namesMax = 3

/** Node names of AWS end with a domain. The CSV file has them in full. */
const shortName = (name: string) => name.split('.', 1)[0] ?? name

function nodeNote({ nodes, nodes_gone: gone }: StepSavings): string {
  const namesOf = (...states: StepSavings['nodes'][number]['state'][]) =>
    nodes.filter(({ state }) => states.includes(state)).map(({ name }) => shortName(name))
  const listed = (names: readonly string[]) =>
    names.length <= namesMax
      ? names.join(', ')
      : `${names.slice(0, namesMax).join(', ')} and ${names.length - namesMax} more`
  const [stays, replaced, unknown] = [namesOf('stays'), namesOf('replaced'), namesOf('unknown')]
  const [endedBefore, notPriced] = [namesOf('ended_before'), namesOf('not_priced')]
  const notes = [
    ...(stays.length > 0 ? [`${listed(stays)} ${stays.length === 1 ? 'still runs' : 'still run'}`] : []),
    ...(replaced.length > 0 ? [`${listed(replaced)} ${replaced.length === 1 ? 'was' : 'were'} replaced`] : []),
    ...(endedBefore.length > 0 ? [`${listed(endedBefore)} ended before the step was applied`] : []),
    ...(notPriced.length > 0 ? [`${listed(notPriced)} not priced`] : []),
    ...(unknown.length > 0 ? [`no data for ${listed(unknown)}`] : []),
  ]
  return notes.length > 0 ? notes.join('; ') : gone === 0 ? '' : 'not replaced'
}

/** How the parts of the total add up to the bankable savings. */
export function totalSentence(total: StepSavingsList['total']): string {
  const parts = [
    ['bill reduction', total.off_the_bill],
    ['capacity freed', total.capacity_freed],
    ['reverted', total.reverted],
    ['not observed', total.not_observed],
  ] as const
  const shown = parts.filter(([name, usd]) => usd !== 0 || name === 'bill reduction')
  const sum = shown.map(([name, usd]) => `${name} ${exactDollars(usd)}`).join(' + ')
  const difference = total.price_difference
  const start =
    difference === 0
      ? `Bankable savings ${exactDollars(total.promised)}`
      : `Bankable savings ${exactDollars(total.promised)} ${difference > 0 ? '+' : '−'} price difference ${exactDollars(Math.abs(difference))}`
  return `${start} = ${sum}.`
}

const csvHead = [
  ...['step_id', 'cluster', 'title', 'kind', 'applied_at', 'state', 'changes', 'changes_applied', 'changes_reverted'],
  ...['nodes_named', 'nodes_gone', 'nodes_staying', 'resources_named', 'resources_gone'],
  ...['promised_usd_per_month', 'off_the_bill_usd_per_month', 'capacity_freed_usd_per_month', 'reverted_usd_per_month'],
  ...['not_observed_usd_per_month', 'price_difference_usd_per_month'],
]

export function stepsCsv(rows: readonly StepSavings[]): string[][] {
  const lines = rows.map((row) => [
    ...[row.id, row.cluster_name, row.title, row.kind, row.applied_at, row.state],
    ...[row.changes, row.changes_applied, row.changes_reverted].map(String),
    ...[row.nodes_named, row.nodes_gone].map((value) => (value === null ? '' : String(value))),
    row.nodes.flatMap(({ name, state }) => (state === 'stays' ? [name] : [])).join(' '),
    ...[row.resources_named, row.resources_gone, row.promised, row.off_the_bill, row.capacity_freed].map(String),
    ...[row.reverted, row.not_observed, row.price_difference].map(String),
  ])
  return [csvHead, ...lines]
}

export type HealthRow = {
  key: string
  name: string
  below: string
  before: Counts
  since: Counts
  /** Empty: no regression. */
  message: string
}
type Counts = NonNullable<StepSavings['health']>['before']

/** Regressed containers first, then the other containers of each step together. */
export function healthRows(steps: readonly StepSavings[]): HealthRow[] {
  const known = steps.flatMap(({ id, title, health }) => (health ? [{ id, title, health }] : []))
  const regressed = known.flatMap(({ title, health }) =>
    health.regressed.map((each) => ({
      key: each.recommendation_id,
      name: `${each.namespace}/${each.workload}`,
      below: `${withUnits(title)} · ${each.change}`,
      before: each.before,
      since: each.since,
      message: each.message,
    })),
  )
  const others = known
    .filter(({ health }) => health.containers > 0)
    .map(({ id, title, health: { containers, before, since, regressed: failed } }) => ({
      ...{ key: id, name: withUnits(title), before, since, message: '' },
      below: count(containers, failed.length > 0 ? 'other container' : 'container'),
    }))
  return [...regressed, ...others]
}
