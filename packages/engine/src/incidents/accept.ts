import type { Decimal } from '../decimal.ts'
import type { DayNumber } from '../forecast/day-cost.ts'
import { fitDay, type AcceptedStep, type CostHistory } from '../forecast/fit-forecast.ts'
import type { HourNumber, Incident, IncidentLog } from './incident.ts'
import { partsAbove, type PartTree } from './part-tree.ts'

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

export type AcceptedExcess = {
  readonly part: string
  readonly excess: Decimal
  /** The first whole day at the new level. */
  readonly day: DayNumber
}

/** The new level of the part and of all parts above it: the old level and the excess. */
export function acceptedSteps(
  tree: PartTree,
  histories: ReadonlyMap<string, CostHistory>,
  { part, excess, day }: AcceptedExcess,
): Map<string, AcceptedStep> {
  const steps = new Map<string, AcceptedStep>()
  for (const key of [part, ...partsAbove(tree, part)]) {
    const history = histories.get(key)
    const fitted = history && fitDay(history, day)
    if (!fitted) continue
    steps.set(key, { day, usdPerDay: (fitted.kind === 'none' ? 0n : fitted.usdPerDay) + excess })
  }
  return steps
}
