import type { CostScope } from '@plimsoll/contract'
import type { AlertCondition } from '../alerts/index.ts'
import { roundToNumber } from '@plimsoll/engine'
import type { BudgetEvaluation, Crossing } from './evaluate-budget.ts'
import type { BudgetRow } from './queries/budgets.ts'
import { namespacesOf } from './scope-inside.ts'

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** The thresholds of one kind that a budget has reached. */
export function budgetConditions(
  row: Pick<BudgetRow, 'budget_id' | 'name' | 'scope'>,
  evaluation: BudgetEvaluation,
  kind: Crossing['kind'],
): AlertCondition[] {
  return evaluation.crossings
    .filter((crossing) => crossing.kind === kind)
    .map((crossing) => ({
      entity: row.budget_id,
      period: crossing.identity,
      isTrue: true,
      clusterId: onlyOf(row.scope.clusters),
      namespace: onlyOf(row.scope.namespaces),
      team: onlyOf(row.scope.teams),
      scope: placeOf(row.scope),
      isUrgent: kind === 'actual' && crossing.percent >= 100,
      content: {
        severity: crossing.percent >= 100 ? 'warning' : 'info',
        title: titleOf(row.name, crossing, evaluation),
        facts: factsOf(evaluation),
        money: null,
        links: [{ label: 'Open the budgets', url: '/budgets' }],
      },
    }))
}

/** The fields of a scope that the limits of a role are compared with. */
function placeOf({ clusters, namespaces, teams, workloads }: CostScope) {
  const own = namespaces ?? namespacesOf(workloads)
  return { ...(clusters && { clusters }), ...(own && { namespaces: [...own] }), ...(teams && { teams }) }
}

const onlyOf = (names: readonly string[] | undefined) => (names?.length === 1 ? (names[0] ?? null) : null)

function titleOf(name: string, { kind, percent }: Crossing, { span, amount }: BudgetEvaluation): string {
  const budget = `the budget ${name} of ${dollars.format(roundToNumber(amount))} for ${span.key}`
  return kind === 'actual' ? `${percent} % of ${budget} is spent` : `The cost will exceed ${budget}`
}

function factsOf({ forecast: { spent, band80 } }: BudgetEvaluation): { label: string; value: string }[] {
  const range = band80 ? `${dollars.format(band80.lower)}–${dollars.format(band80.upper)}` : 'fewer than 7 days of data'
  return [
    { label: 'Spent', value: dollars.format(spent) },
    { label: 'Forecast, 80 %', value: range },
  ]
}
