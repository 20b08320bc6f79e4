import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_DAY, openDay, type AsOf, type DayNumber } from '../forecast/day-cost.ts'
import type { AcceptedStep, CostHistory } from '../forecast/fit-forecast.ts'
import { EXPECTED_DIVISOR, expectedDividend, type ExpectedDay } from '../forecast/weekday-factors.ts'
import { explainPart } from './find-causes.ts'
import type { HourNumber, Incident, IncidentLog } from './incident.ts'
import type { PartTree } from './part-tree.ts'
import { expectedTrailing, fitBeforeTrailing, type TrailingCost } from './score.ts'

/** Ends the incident at this hour. An incident that is over or unknown stays as it is. */
export function acceptIncident(log: IncidentLog, id: string, hour: HourNumber): IncidentLog {
  const isOpen = (incident: Incident) => incident.id === id && incident.endedAt === null
  if (!log.incidents.some(isOpen)) return log
  return {
    ...log,
    incidents: log.incidents.map((incident) =>
      isOpen(incident) ? { ...incident, endedAt: hour, isAccepted: true } : incident,
    ),
    events: [...log.events, { kind: 'ended', id, hour }],
  }
}

/** `lastHours` are the costs of the last three hours with data: the trailing 24 hours hold a young rise in part. */
export type RecentCost = { readonly trailing: TrailingCost; readonly lastHours: readonly Decimal[] }

export type Acceptance = {
  readonly part: string
  readonly at: AsOf
  /** Of the part and of all parts below it. */
  readonly costs: ReadonlyMap<string, RecentCost>
}

/** The new level of the part, of the parts below it, and of all parts that contain some of these. */
export function acceptedSteps(
  tree: PartTree,
  histories: ReadonlyMap<string, CostHistory>,
  { part, at, costs }: Acceptance,
): Map<string, AcceptedStep> {
  const fits = new Map([...histories].map(([key, history]) => [key, fitBeforeTrailing(history, at)]))
  const excess = new Map<string, Decimal>()
  for (const [key, fitted] of fits) {
    const cost = costs.get(key)
    excess.set(key, cost ? costPerDay(cost) - expectedTrailing(fitted, at) : 0n)
  }
  const unexplained = new Map(excess)
  explainPart(tree, unexplained, part)
  const steps = new Map<string, AcceptedStep>()
  for (const [key, fitted] of fits) {
    const accepted = (excess.get(key) ?? 0n) - (unexplained.get(key) ?? 0n)
    if (accepted <= 0n || fitted.kind === 'none') continue
    steps.set(key, { at, usdPerDay: fitted.usdPerDay + atLowestWeekday(fitted, openDay(at).day, accepted) })
  }
  return steps
}

/** An estimate that is too high lasts until the first whole day is known. One that is too low opens another incident. */
const costPerDay = ({ trailing, lastHours }: RecentCost): Decimal =>
  lastHours.map((usd) => usd * BigInt(HOURS_PER_DAY)).reduce((most, usd) => (usd > most ? usd : most), trailing.usd)

/** The level of an amount that is expected in full on each day until the first whole day is known. */
function atLowestWeekday({ factors }: ExpectedDay, today: DayNumber, usd: Decimal): Decimal {
  const weights = [today - 1, today, today + 1, today + 2].map((day) =>
    expectedDividend({ usdPerDay: 1n, factors }, day, HOURS_PER_DAY),
  )
  const lowest = weights.reduce((least, weight) => (weight < least ? weight : least))
  return lowest > 0n ? divideRounded(usd * EXPECTED_DIVISOR, lowest) : usd
}
