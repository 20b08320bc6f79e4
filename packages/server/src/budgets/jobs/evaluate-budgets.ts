import { decimal, formatDecimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { DayCost } from '@plimsoll/engine/forecast'
import { evaluateRule, listAlertPeriods } from '../../alerts/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import { amountIn, amountsOf, dayNumberOf, isFrozenAt, spanOn, type BudgetSpan } from '../budget-span.ts'
import { budgetConditions, type Evaluated } from '../budget-conditions.ts'
import { countDays, daysCounted, isCounted, type ClusterDays } from '../count-days.ts'
import { evaluateBudget, frozenEvaluation, type BudgetEvaluation, type EvaluatedBudget } from '../evaluate-budget.ts'
import { sumBudgetClusters, sumBudgetDays } from '../queries/budget-days.ts'
import { listNewHours, lockRevisions, noteCounted } from '../queries/budget-state.ts'
import { listBudgets, writeOutlooks, writePeriods, type BudgetRow, type PeriodRow } from '../queries/budgets.ts'
import { scopeHistory } from '../scope-history.ts'

/** The forecast of a month needs 112 days, and the month before is open for three more days. */
const monthlyDays = 150

/** Its earlier months were written with its first evaluation. */
const isMonthly = ({ period, current }: BudgetRow) => period === 'month' && current !== null

/** So that the event loop is free between two groups. */
const budgetsAtOnce = 20

const pastPeriods = 12

type EvaluatedRow = Evaluated & { row: BudgetRow }

/** Evaluates all budgets after an hour was finalised, and daily without data: periods end by the clock. Safe to repeat. */
export async function evaluateBudgets({ db, now, log }: Pick<Deps, 'db' | 'now' | 'log'>): Promise<void> {
  const budgets = await listBudgets(db)
  if (budgets.length === 0) return alert(db, [], now())
  const newHours = await listNewHours(db)
  const { revision: mapping } = await loadTeamMapping(db)
  const isCurrent = (row: BudgetRow) =>
    isCounted(row, mapping) && row.current?.revision === row.revision && row.current.evaluatedOn === dayNumberOf(now())
  if (newHours.clusterIds?.size === 0 && budgets.every(isCurrent)) return
  const { known, isComplete } = await countDays(db, { budgets, mapping, newHours, now: now() })
  const evaluated: EvaluatedRow[] = []
  for (let at = 0; at < budgets.length; at += budgetsAtOnce)
    evaluated.push(...(await evaluateGroup(db, budgets.slice(at, at + budgetsAtOnce), known, now())))
  await alert(db, evaluated, now())
  if (isComplete) await noteCounted(db, newHours.horizon)
  log.info({ budgets: budgets.length }, 'budgets evaluated')
}

/**
 * Each threshold has its own alert in a period, which fires once. The alerts of a budget that a user edited meanwhile stay as they
 * are until its next evaluation.
 */
async function alert(db: Db, evaluated: readonly EvaluatedRow[], now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const unchanged = await lockUnchanged(tx, evaluated)
    const ids = unchanged.map(({ row }) => row.budget_id)
    const edited = new Set(evaluated.map(({ row }) => row.budget_id).filter((id) => !ids.includes(id)))
    for (const kind of ['actual', 'forecast'] as const) {
      const rule = `budget_${kind}` as const
      const isNew = isNotIn(await listAlertPeriods(tx, rule, ids))
      const conditions = budgetConditions(unchanged, kind, isNew)
      await evaluateRule(tx, { rule, conditions, isUnknown: ({ entity }) => edited.has(entity) }, now)
    }
  })
}

/** Without budgets that were edited or deleted since they were read. Edits of the others wait until the transaction ends. */
async function lockUnchanged<Each extends EvaluatedRow>(tx: Db, all: readonly Each[]): Promise<Each[]> {
  const revisions = await lockRevisions(
    tx,
    all.map(({ row }) => row.budget_id),
  )
  return all.filter(({ row }) => revisions.get(row.budget_id) === row.revision)
}

const isNotIn = (alerts: readonly { entity: string; period: string }[]) => {
  const known = new Set(alerts.map(({ entity, period }) => `${entity} ${period}`))
  return (entity: string, period: string) => !known.has(`${entity} ${period}`)
}

async function evaluateGroup(
  db: Db,
  budgets: BudgetRow[],
  known: readonly ClusterDays[],
  now: Date,
): Promise<EvaluatedRow[]> {
  const ids = budgets.map(({ budget_id: id }) => id)
  const sums = new Map(ids.map((id) => [id, new Map<number, Decimal>()]))
  const since = dayNumberOf(now) - (budgets.every(isMonthly) ? monthlyDays : daysCounted)
  for (const { budgetId, day, usd } of await sumBudgetDays(db, ids, since)) sums.get(budgetId)?.set(day, decimal(usd))
  const byCluster = new Map(ids.map((id) => [id, new Map<string, number>()]))
  for (const { budgetId, clusterId, usd } of await sumBudgetClusters(db, ids, since))
    byCluster.get(budgetId)?.set(clusterId, usd)
  const evaluated = budgets.map((row) => {
    const usd = sums.get(row.budget_id) ?? new Map<number, Decimal>()
    const budget = budgetOf(row)
    const history = scopeHistory(row.scope, known, {
      since,
      usdOn: (day) => usd.get(day) ?? 0n,
      usdOf: (clusterId) => byCluster.get(row.budget_id)?.get(clusterId) ?? 0,
    })
    const frozen = frozenEvaluation(budget, row.current, now)
    if (frozen) return { row, evaluation: frozen, periods: [] }
    const evaluation = evaluateBudget(budget, history, now)
    return { row, evaluation, periods: periodsOf(row, evaluation, { days: history.days, since, now }) }
  })
  await db.transaction().execute(async (tx) => {
    const unchanged = await lockUnchanged(tx, evaluated)
    await writeOutlooks(
      tx,
      unchanged.map((each) => outlookOf(each, now)),
    )
    await writePeriods(
      tx,
      unchanged.flatMap(({ periods }) => periods),
    )
  })
  return evaluated
}

const outlookOf = ({ row, evaluation }: { row: BudgetRow; evaluation: BudgetEvaluation }, now: Date) => ({
  budgetId: row.budget_id,
  revision: row.revision,
  current: {
    revision: row.revision,
    evaluatedOn: dayNumberOf(now),
    key: evaluation.span.key,
    amount: roundToNumber(evaluation.amount),
    forecast: evaluation.forecast,
  },
})

export const budgetOf = (row: BudgetRow): EvaluatedBudget => ({
  ...amountsOf(row),
  scope: row.scope,
  thresholds: row.thresholds,
})

type History = { days: readonly DayCost[]; since: number; now: Date }

/** The open period and the earlier ones with data. */
function periodsOf(row: BudgetRow, { span }: BudgetEvaluation, { days, since, now }: History): PeriodRow[] {
  const spans: BudgetSpan[] = [span]
  const first = days[0]?.day ?? span.from
  while (row.period !== 'once' && spans.length <= pastPeriods) {
    const previous = spanOn(budgetOf(row), (spans.at(-1) ?? span).from - 1)
    if (previous.to <= first || previous.from < since) break
    spans.push(previous)
  }
  const ownDays = ({ from, to }: BudgetSpan) => days.filter(({ day }) => day >= from && day < to)
  return spans.map((each) => ({
    budget_id: row.budget_id,
    key: each.key,
    first_day: each.from,
    end_day: each.to,
    amount: formatDecimal(amountIn(budgetOf(row), each)),
    usd: formatDecimal(ownDays(each).reduce((sum, { usd }) => sum + usd, 0n)),
    is_frozen: isFrozenAt(each, now),
    known_hours: Math.round(ownDays(each).reduce((sum, { knownHours }) => sum + knownHours, 0)),
    scope: row.scope,
  }))
}
