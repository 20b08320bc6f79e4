import type { CostScope } from '@plimsoll/contract'
import type { AlertCondition } from '../alerts/index.ts'
import { groupBy, roundToNumber } from '@plimsoll/engine'
import type { BudgetEvaluation, Crossing } from './evaluate-budget.ts'
import type { BudgetRow } from './queries/budgets.ts'
import { namespacesOf } from './scope-inside.ts'

const formatOf = (digits: number) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  })
const wholeDollars = formatOf(0)
const cents = formatOf(2)

/** Small amounts with cents: $0.40 is not $0. */
const dollars = (usd: number) => (Math.abs(usd) < 100 ? cents : wholeDollars).format(usd)

export type Evaluated = {
  row: Pick<BudgetRow, 'budget_id' | 'name' | 'scope' | 'parent_id'>
  evaluation: BudgetEvaluation
}

type IsNew = (budgetId: string, identity: string) => boolean

/** The thresholds of one kind that budgets have reached. `isNew`: the threshold has no alert yet. */
export function budgetConditions(
  evaluated: readonly Evaluated[],
  kind: Crossing['kind'],
  isNew: IsNew = () => true,
): AlertCondition[] {
  const own = evaluated.map(({ row, evaluation }) => ({
    row,
    evaluation,
    crossings: evaluation.crossings.filter((crossing) => crossing.kind === kind),
  }))
  const children = groupBy(own, ({ row }) => row.parent_id)
  return own.flatMap(({ row, evaluation, crossings }) => {
    const below = (children.get(row.budget_id) ?? []).flatMap((child) =>
      child.crossings.filter(({ identity }) => isNew(child.row.budget_id, identity)),
    )
    return crossings.map((crossing) => ({
      ...conditionOf(row, evaluation, crossing),
      ...(isInAnother(crossing, crossings, below) ? { unsent: 'joined' as const } : {}),
    }))
  })
}

/** A child with this share of the excess is the cause of the excess of its parent. */
const causeShare = 0.6

/** One cause, one message: a higher threshold of the budget, or the same threshold of a child, has the message. */
const isInAnother = (crossing: Crossing, own: readonly Crossing[], below: readonly Crossing[]): boolean =>
  own.some(({ percent }) => percent > crossing.percent) ||
  below.some(({ percent, excess }) => percent === crossing.percent && excess >= causeShare * crossing.excess)

const conditionOf = (row: Evaluated['row'], evaluation: BudgetEvaluation, crossing: Crossing): AlertCondition => ({
  entity: row.budget_id,
  period: crossing.identity,
  isTrue: crossing.isTrue,
  clusterId: onlyOf(row.scope.clusters),
  namespace: onlyOf(row.scope.namespaces),
  team: onlyOf(row.scope.teams),
  scope: placeOf(row.scope),
  isUrgent: crossing.kind === 'actual' && crossing.percent >= 100,
  content: {
    severity: crossing.percent >= 100 ? 'warning' : 'info',
    title: titleOf(row.name, crossing, evaluation),
    facts: factsOf(evaluation),
    money: null,
    links: [{ label: 'Open the budgets', url: '/budgets' }],
  },
})

/** The fields of a scope that the limits of a role are compared with. */
function placeOf({ clusters, namespaces, teams, workloads }: CostScope) {
  const own = namespaces ?? namespacesOf(workloads)
  return { ...(clusters && { clusters }), ...(own && { namespaces: [...own] }), ...(teams && { teams }) }
}

const onlyOf = (names: readonly string[] | undefined) => (names?.length === 1 ? (names[0] ?? null) : null)

function titleOf(name: string, { kind, percent }: Crossing, { span, amount, forecast }: BudgetEvaluation): string {
  const budget = `budget ${name} (${dollars(roundToNumber(amount))}, ${span.key})`
  if (kind === 'actual') return `${percent} % of ${budget} is spent`
  return `The cost ${forecast.outlook === 'over' ? 'exceeds' : 'is very likely to exceed'} ${budget}`
}

function factsOf({ forecast: { spent, band80 } }: BudgetEvaluation): { label: string; value: string }[] {
  const range = band80 ? `${dollars(band80.lower)}–${dollars(band80.upper)}` : 'fewer than 7 days of data'
  return [
    { label: 'Spent', value: dollars(spent) },
    { label: 'Forecast (80 % range)', value: range },
  ]
}
