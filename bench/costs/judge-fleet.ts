import type { Decimal } from '../../packages/engine/src/index.ts'
import { fortyPercent, incidentAlerts, ruleAlerts, twoSigma, type Alert } from './detectors.ts'
import {
  dailyScores,
  FIRST_JUDGED,
  scoresOf,
  TOTAL,
  weeklyThresholds,
  type DailyScores,
  type Fleet,
  type Values,
} from './fleet.ts'
import { injected, makeCases, type Case } from './inject.ts'
import { fromUsd, mean, sum } from './money.ts'

export const METHODS = ['budget 2', 'budget 4', '2σ per part', '+40 %, $100'] as const
export type MethodName = (typeof METHODS)[number]

export type MethodResult = {
  alertsPer30Days: number
  cases: number
  found: number
  usd: number
  usdFound: number
  /** Without messages about growth. */
  alertsOfFound: number
  messagesOfFound: number
}

export type FleetResult = {
  readonly name: string
  readonly parts: number
  readonly days: number
  readonly thresholdShare: number
  readonly methods: ReadonlyMap<MethodName, MethodResult>
}

type Span = { readonly from: number; readonly to: number }

/** The alerts of a fleet with these scores and values. */
type Method = (scores: DailyScores, values: ReadonlyMap<string, Values>, span: Span) => Alert[]

/** Incidents that are open before a case are replayed first. */
const DAYS_BEFORE_CASE = 35

export function judgeFleet(fleet: Fleet, casesPerKind: number): FleetResult {
  const scores = dailyScores(fleet)
  const thresholds = new Map([2, 4].map((budget) => [budget, weeklyThresholds(fleet, scores, budget)]))
  const ours =
    (budget: number): Method =>
    (some, _values, span) =>
      incidentAlerts(fleet, some, thresholds.get(budget) ?? [], span)
  const all: Record<MethodName, Method> = {
    'budget 2': ours(2),
    'budget 4': ours(4),
    '2σ per part': (_scores, values, span) => ruleAlerts(values, twoSigma, 0, span),
    '+40 %, $100': (_scores, values, span) => ruleAlerts(values, fortyPercent, 1, span),
  }
  const cases = makeCases(fleet, casesPerKind)
  const days = fleet.length - FIRST_JUDGED
  const untouched = (method: Method) => method(scores, fleet.values, { from: FIRST_JUDGED, to: fleet.length }).length
  const methods = METHODS.map((name): [MethodName, MethodResult] => [
    name,
    {
      alertsPer30Days: (30 * untouched(all[name])) / days,
      cases: 0,
      found: 0,
      usd: 0,
      usdFound: 0,
      alertsOfFound: 0,
      messagesOfFound: 0,
    },
  ])
  for (const each of cases) {
    const touched = withCase(fleet, scores, each)
    for (const [name, result] of methods) addCase(result, each, newAlerts(all[name], touched))
  }
  const last: Decimal = thresholds.get(2)?.at(-1) ?? 0n
  const total = fleet.values.get(TOTAL) ?? []
  const thresholdShare = fromUsd(last) / mean(total.slice(-28))
  return { name: fleet.name, parts: fleet.values.size, days, thresholdShare, methods: new Map(methods) }
}

type Touched = {
  readonly before: { readonly scores: DailyScores; readonly values: ReadonlyMap<string, Values> }
  readonly after: { readonly scores: DailyScores; readonly values: ReadonlyMap<string, Values> }
  readonly span: Span
  readonly from: number
}

/** The workload of the case and the parts above it, without and with the case. */
function withCase(fleet: Fleet, scores: DailyScores, each: Case): Touched {
  const span = {
    from: Math.max(FIRST_JUDGED, each.from - DAYS_BEFORE_CASE),
    to: Math.min(fleet.length, each.from + each.added.length + 1),
  }
  const values = injected(fleet, each)
  const changed = new Map([...values].map(([key, own]) => [key, scoresOf(own, fleet, each.from, span.to)]))
  const after = scores.map((ofDay, day) => {
    if (day < each.from || day >= span.to) return ofDay
    const own = [...changed].flatMap(([key, list]) => {
      const score = list[day - each.from]
      return score ? [[key, score] as const] : []
    })
    return new Map([...ofDay, ...own])
  })
  const unchanged = new Map([...values.keys()].map((key) => [key, fleet.values.get(key) ?? []]))
  return { before: { scores, values: unchanged }, after: { scores: after, values }, span, from: each.from }
}

/** Alerts that the untouched fleet does not have, on the path of the case. */
function newAlerts(method: Method, { before, after, span, from }: Touched): Alert[] {
  const nameOf = ({ part, day }: Alert) => `${part} ${day}`
  const known = new Set(method(before.scores, before.values, span).map(nameOf))
  return method(after.scores, after.values, span).filter(
    (alert) => alert.day >= from && after.values.has(alert.part) && !known.has(nameOf(alert)),
  )
}

/** A case whose only message is about the growth of a known incident has one alert. */
function addCase(result: MethodResult, { added }: Case, alerts: readonly Alert[]): void {
  const usd = sum(added)
  result.cases += 1
  result.usd += usd
  if (alerts.length === 0) return
  result.found += 1
  result.usdFound += usd
  result.alertsOfFound += Math.max(1, alerts.filter(({ isGrowth = false }) => !isGrowth).length)
  result.messagesOfFound += alerts.length
}
