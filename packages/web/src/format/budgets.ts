import type { Budget, BudgetList, CostScope, Outlook } from '@plimsoll/contract'
import type { Tone } from './labels.ts'
import { dollars } from './money.ts'
import { number } from './quantity.ts'

export const outlookLabels: Record<Outlook, { word: string; tone: Tone }> = {
  over: { word: 'Over budget', tone: 'danger' },
  sure: { word: 'Very likely to exceed', tone: 'danger' },
  likely: { word: 'Likely to exceed', tone: 'warn' },
  within: { word: 'On track', tone: 'ok' },
  unknown: { word: 'No forecast yet', tone: 'muted' },
}

/** "1 over or very likely to exceed · 2 likely · 5 on track". */
export const countWords = ({ over, sure, likely, within, unknown }: BudgetList['counts']): string =>
  [
    `${over + sure} over or very likely to exceed`,
    `${likely} likely`,
    `${within} on track`,
    ...(unknown > 0 ? [`${unknown} without forecast`] : []),
  ].join(' · ')

export const outlookOf = ({ current }: Budget): Outlook => current?.forecast.outlook ?? 'unknown'

const order: readonly Outlook[] = ['over', 'sure', 'likely', 'within', 'unknown']

/** The budgets that are over or will go over: the most certain first, then the largest excess. */
export const goingOver = (budgets: readonly Budget[]): Budget[] =>
  budgets
    .filter((budget) => ['over', 'sure', 'likely'].includes(outlookOf(budget)))
    .sort((a, b) => order.indexOf(outlookOf(a)) - order.indexOf(outlookOf(b)) || excessOf(b) - excessOf(a))

/** The expected cost minus the amount. Without a forecast: the cost so far minus the amount. */
export function excessOf({ current }: Budget): number {
  if (!current) return 0
  return (current.forecast.middle ?? current.forecast.spent) - current.amount
}

const fieldWords = { namespaces: 'namespace', teams: 'team', labels: 'label', workloads: 'workload' } as const
const fieldNames = Object.keys(fieldWords) as (keyof typeof fieldWords)[]

/** "team is storefront and namespace is shop or media". */
export function scopeWords(scope: CostScope, nameOf: (clusterId: string) => string): string {
  const names = (values: readonly string[]) =>
    values.map((value) => (value === '__none__' ? 'unowned' : value)).join(' or ')
  const parts = [
    ...(scope.clusters ? [`cluster is ${scope.clusters.map(nameOf).join(' or ')}`] : []),
    ...fieldNames.flatMap((field) => {
      const values = scope[field]
      return values ? [`${fieldWords[field]} is ${names(values)}`] : []
    }),
  ]
  return parts.length === 0 ? 'all cost' : parts.join(' and ')
}

/** The scope of a budget. The cost of whole clusters is the same with and without shared cost. */
export function costWords({ scope, share }: Budget, nameOf: (clusterId: string) => string): string {
  const isOfClusters = fieldNames.every((field) => scope[field] === undefined)
  return `${scopeWords(scope, nameOf)}${share || isOfClusters ? '' : ', without shared cost'}`
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** The last day of a period whose end is exclusive. */
export const lastDay = (to: string) => dayFormat.format(new Date(Date.parse(to) - 1))

/** "$2,140–$2,310 by 30 Nov, budget $2,000". */
export function verdict({ current }: Budget): string {
  if (!current) return 'Not evaluated yet'
  const { forecast, amount } = current
  const range = forecast.band80
  const cost = range
    ? `${dollars(range.lower)}–${dollars(range.upper)} by ${lastDay(forecast.to)}`
    : `${dollars(forecast.spent)} so far`
  return `${cost}, budget ${dollars(amount)}`
}

/** Why the state is as it is, in one sentence. */
export function certainty({ current }: Budget): string {
  if (!current) return 'The service evaluates a new budget within five minutes.'
  const { forecast, amount } = current
  if (forecast.outlook === 'over') return `${dollars(forecast.spent - amount)} more than the budget is spent.`
  if (forecast.outlook === 'sure' && forecast.band80)
    return `The low end of the 80 % forecast range is ${dollars(forecast.band80.lower - amount)} above the budget.`
  if (forecast.outlook === 'likely') return 'The forecast has been above the budget for three days.'
  return forecast.outlook === 'within'
    ? 'The expected cost is within the budget.'
    : 'A forecast needs seven days of data.'
}

/** "$1,200 not assigned" or "$300 over-assigned to child budgets". */
export const unassignedWords = (usd: number) =>
  usd >= 0 ? `${dollars(usd)} not assigned` : `${dollars(-usd)} over-assigned to child budgets`

type PastPeriod = Budget['past'][number]

/** A final period may lack data: its cost is then too low, and stays so. */
export function periodState({ frozen, hours, hours_with_data: known }: PastPeriod): string {
  const state = frozen ? 'Final' : 'Open'
  return known === null || known >= hours ? state : `${state}, ${number(known)} of ${number(hours)} hours with data`
}

export type TreeRow = { budget: Budget; depth: number }

/** Children follow their parent. A budget whose parent is not visible is at the top level. */
export function treeRows(budgets: readonly Budget[]): TreeRow[] {
  const ids = new Set(budgets.map(({ id }) => id))
  const below = (parent: string | null, depth: number): TreeRow[] =>
    budgets
      .filter((each) =>
        parent === null ? each.parent_id === null || !ids.has(each.parent_id) : each.parent_id === parent,
      )
      .flatMap((budget) => [{ budget, depth }, ...below(budget.id, depth + 1)])
  return below(null, 0)
}
