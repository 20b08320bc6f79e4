import type { Budget, BudgetHistory, BudgetPeriod, CostScope, UpdateBudgetBody } from '@plimsoll/contract'
import { namesOfText } from './names-of-text.ts'
import { dollars } from './money.ts'
import { scopeWords } from './budgets.ts'

export type RecurringPeriod = Exclude<BudgetPeriod, 'once'>

/** The fields of the form as text. Lists are comma-separated. */
export type BudgetFields = {
  name: string
  /** The period of an existing budget is fixed. */
  period: BudgetPeriod
  amount: string
  growth: string
  clusters: readonly string[]
  namespaces: string
  teams: string
  labels: string
  workloads: string
  /** Whether the cost includes shared cost. */
  share: boolean
  /** Of a budget that does not recur: its first and its last day. */
  from: string
  lastDay: string
  /** As `2026-01=2000, 2026-02=2500`. */
  amounts: string
  thresholds: string
  warnsByForecast: boolean
  parentId: string
  reason: string
}

const newFields: BudgetFields = {
  name: '',
  period: 'month',
  amount: '',
  growth: '0',
  clusters: [],
  namespaces: '',
  teams: '',
  labels: '',
  workloads: '',
  share: true,
  from: '',
  lastDay: '',
  amounts: '',
  thresholds: '80, 100',
  warnsByForecast: true,
  parentId: '',
  reason: '',
}

export const fieldsOf = (budget: Budget | undefined): BudgetFields =>
  budget === undefined
    ? newFields
    : {
        name: budget.name,
        period: budget.period,
        amount: String(shownAmount(budget)),
        growth: String(budget.growth_percent),
        clusters: budget.scope.clusters ?? [],
        namespaces: textOf(budget.scope.namespaces),
        teams: textOf(budget.scope.teams),
        labels: textOf(budget.scope.labels),
        workloads: textOf(budget.scope.workloads),
        share: budget.share,
        from: budget.from ?? '',
        lastDay: budget.to === null ? '' : dayBefore(budget.to),
        amounts: textOf(Object.entries(budget.amounts).map(([key, usd]) => `${key}=${usd}`)),
        thresholds: textOf(budget.thresholds.actual.map(String)),
        warnsByForecast: budget.thresholds.forecast,
        parentId: budget.parent_id ?? '',
        reason: '',
      }

/** With the growth since the amount was set. An amount of the current period alone is not the general one. */
const shownAmount = ({ amount, amounts, current }: Budget) =>
  current === null || amounts[current.key] !== undefined ? amount : current.amount

const textOf = (names: readonly string[] = []) => names.join(', ')

/** A field without values is left out: it matches all costs. */
export function scopeOfFields({ clusters, namespaces, teams, labels, workloads }: BudgetFields): CostScope {
  const fields = {
    clusters: [...clusters],
    namespaces: namesOfText(namespaces),
    teams: namesOfText(teams),
    labels: namesOfText(labels),
    workloads: namesOfText(workloads),
  }
  return Object.fromEntries(Object.entries(fields).filter(([, values]) => values.length > 0))
}

export const bodyOf = (fields: BudgetFields) => ({
  name: fields.name,
  amount: Number(fields.amount),
  growth_percent: Number(fields.growth),
  scope: scopeOfFields(fields),
  share: fields.share,
  thresholds: { actual: namesOfText(fields.thresholds).map(Number), forecast: fields.warnsByForecast },
  parent_id: fields.parentId === '' ? null : fields.parentId,
  ...(fields.period === 'once' ? { from: fields.from, to: dayAfter(fields.lastDay) } : { amounts: amountsOf(fields) }),
})

/** A part without an amount is sent as it is, so that the service names the mistake. */
const amountsOf = ({ amounts }: BudgetFields): Record<string, number> =>
  Object.fromEntries(
    namesOfText(amounts).map((each) => {
      const [key = '', usd = ''] = each.split('=')
      return [key.trim(), usd.trim() === '' ? NaN : Number(usd)]
    }),
  )

const dayMs = 86_400_000
const movedDay = (day: string, days: number) =>
  Number.isNaN(Date.parse(day)) ? day : new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

/** The end of a budget is exclusive in the API. */
const dayAfter = (day: string) => movedDay(day, 1)
const dayBefore = (day: string) => movedDay(day, -1)

/** Only the changed fields, so that the edits of two users do not undo each other. */
export function editOf(before: BudgetFields, after: BudgetFields): UpdateBudgetBody {
  const [old, body] = [bodyOf(before), bodyOf(after)]
  const changed = Object.entries(body).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof typeof old]),
  )
  return { ...Object.fromEntries(changed), ...(after.reason === '' ? {} : { reason: after.reason }) }
}

type Change = BudgetHistory['changes'][number]

const words: Record<string, string> = {
  name: 'Name',
  scope: 'Scope',
  share: 'Shared cost',
  period: 'Period',
  from: 'From',
  to: 'To',
  amount: 'Amount',
  growth_percent: 'Growth per period',
  amounts: 'Amounts of single periods',
  thresholds: 'Thresholds',
  parent_id: 'Parent',
}

/** "Amount $50 → $60". A new budget shows its values. `nameOf` has the names of clusters and budgets. */
export function changeLines({ before, after }: Change, nameOf: (id: string) => string): string[] {
  const isNew = Object.keys(before).length === 0
  const shown = Object.entries(after).filter(([name, value]) => !isNew || !isEmpty(name, value))
  return shown.map(([name, value]) => {
    const [from, to] = [before[name], value].map((each) => valueText(name, each, nameOf))
    return `${words[name] ?? name} ${isNew ? to : `${from} → ${to}`}`
  })
}

const isEmpty = (name: string, value: unknown) =>
  name === 'name' || value === null || value === 0 || (name === 'amounts' && Object.keys(value as object).length === 0)

function valueText(name: string, value: unknown, nameOf: (id: string) => string): string {
  if (value === null || value === undefined) return 'none'
  if (name === 'scope') return scopeWords(value, nameOf)
  if (name === 'share') return value === true ? 'included' : 'not included'
  if (name === 'amount') return dollars(Number(value))
  if (name === 'growth_percent') return `${Number(value)} %`
  if (name === 'thresholds') return thresholdText(value as Budget['thresholds'])
  if (name === 'parent_id' && typeof value === 'string') return nameOf(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const thresholdText = ({ actual, forecast }: Budget['thresholds']) =>
  [...actual.map((percent) => `${percent} %`), ...(forecast ? ['forecast'] : [])].join(', ') || 'none'
