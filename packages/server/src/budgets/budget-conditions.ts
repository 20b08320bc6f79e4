import type { AlertCondition } from '../alerts/index.ts'
import { roundToNumber } from '@plimsoll/engine'
import type { BudgetEvaluation, Crossing } from './evaluate-budget.ts'
import type { BudgetRow } from './queries/budgets.ts'

const whole = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

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

const onlyOf = (names: readonly string[] | undefined) => (names?.length === 1 ? (names[0] ?? null) : null)

function titleOf(name: string, { kind, percent }: Crossing, { span, amount }: BudgetEvaluation): string {
  const budget = `the budget ${name} of ${whole.format(roundToNumber(amount))} for ${span.key}`
  return kind === 'actual' ? `${percent} % of ${budget} is spent` : `The cost will exceed ${budget}`
}

function factsOf({ forecast: { spent, band80 } }: BudgetEvaluation): { label: string; value: string }[] {
  const range = band80 ? `${whole.format(band80.lower)}–${whole.format(band80.upper)}` : 'fewer than 7 days of data'
  return [
    { label: 'Spent', value: whole.format(spent) },
    { label: 'Forecast, 80 %', value: range },
  ]
}
