// Who reports which part on which day: the incidents of the engine, and two rules that others ship.
import type { Decimal } from '../../packages/engine/src/index.ts'
import { replayIncidents } from '../../packages/engine/src/incidents/index.ts'
import { FIRST_JUDGED, type DailyScores, type Fleet, type Values } from './fleet.ts'
import { mean, sum } from './money.ts'

/** One message about a part. `isGrowth`: about an incident that an earlier message named. */
export type Alert = { readonly part: string; readonly day: number; readonly isGrowth?: boolean }

/** Incidents of the days `from` ≤ day < `to`; every message is an alert. */
export function incidentAlerts(
  { tree }: Fleet,
  scores: DailyScores,
  thresholds: readonly Decimal[],
  { from, to }: { from: number; to: number },
): Alert[] {
  const evaluations = Array.from({ length: to - from }, (_, index) => from + index).map((day) => ({
    hour: day * 24,
    threshold: thresholds[day] ?? 0n,
    scores: scores[day] ?? new Map(),
  }))
  const { events } = replayIncidents(tree, evaluations)
  return events
    .filter(({ kind }) => kind !== 'ended')
    .map(({ kind, id, hour }) => ({ part: id.slice(id.indexOf('/') + 1), day: hour / 24, isGrowth: kind === 'grew' }))
}

type DayRule = (values: Values, day: number) => boolean

const WINDOW = 30

/** More than two standard deviations above the mean of 30 days. */
export const twoSigma: DayRule = (values, day) => {
  const past = values.slice(day - WINDOW, day)
  const middle = mean(past)
  const deviation = Math.sqrt(mean(past.map((value) => (value - middle) ** 2)))
  return (values[day] ?? 0) > middle + 2 * deviation && (values[day] ?? 0) > 0
}

const PERCENT = 0.4
const USD = 100

/** 40 % and $100 above the mean of 30 days, cumulated over the days above it. */
export const fortyPercent: DayRule = (values, day) => {
  const middle = mean(values.slice(day - WINDOW, day))
  let from = day
  while (from > day - 7 && (values[from - 1] ?? 0) > middle * (1 + PERCENT / 2)) from -= 1
  const run = values.slice(from, day + 1)
  const excess = sum(run) - run.length * middle
  return excess > USD && excess > PERCENT * run.length * middle
}

/** One alert for each part and each row of days on which the rule holds. `delay` days late. */
export function ruleAlerts(
  values: ReadonlyMap<string, Values>,
  rule: DayRule,
  delay: number,
  { from, to }: { from: number; to: number },
): Alert[] {
  return [...values].flatMap(([part, own]) => {
    const alerts: Alert[] = []
    let wasOn = false
    for (let day = Math.max(from, FIRST_JUDGED); day < to; day += 1) {
      const isOn = rule(own, day)
      if (isOn && !wasOn) alerts.push({ part, day: day + delay })
      wasOn = isOn
    }
    return alerts
  })
}
