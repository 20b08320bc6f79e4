import type { Decimal } from '../decimal.ts'
import { HOURS_PER_DAY } from '../forecast/day-cost.ts'
import type { Fact } from './facts.ts'
import {
  allExcess,
  explainPart,
  findCauses,
  isShift,
  type Cause,
  type CauseName,
  type Scores,
  type Situation,
  type Splits,
} from './find-causes.ts'
import { isRelated, type PartTree } from './part-tree.ts'

/** Hours since 1970. */
export type HourNumber = number

export type Incident = CauseName & {
  /** The same hours give the same id. */
  readonly id: string
  readonly part: string
  readonly openedAt: HourNumber
  /** The last hour with an excess over the threshold. */
  readonly lastAboveAt: HourNumber
  readonly endedAt: HourNumber | null
  /** A person accepted the new level, so a later excess is another incident. */
  readonly isAccepted: boolean
  /** A shift is listed and never sent. */
  readonly isShift: boolean
  /** What the last message said: the largest excess of the first 24 hours, later the excess at the last growth. */
  readonly announcedUsd: Decimal
  readonly peakUsd: Decimal
  /** Other parts over the threshold, in order of their names. */
  readonly joined: readonly string[]
}

/** What a finalised hour shows. */
export type Evaluation = {
  readonly hour: HourNumber
  readonly threshold: Decimal
  readonly scores: Scores
  readonly splits?: Splits
  readonly facts?: readonly Fact[]
}

/** The messages about incidents. */
export type IncidentEvent = {
  readonly kind: 'opened' | 'grew' | 'ended'
  readonly id: string
  readonly hour: HourNumber
}

export type IncidentLog = {
  /** No hour is evaluated twice, so a repeated hour opens no second incident. */
  readonly evaluatedTo: HourNumber
  readonly incidents: readonly Incident[]
  readonly events: readonly IncidentEvent[]
}

export const EMPTY_LOG: IncidentLog = { evaluatedTo: Number.NEGATIVE_INFINITY, incidents: [], events: [] }

/** What follows in related parts within this time joins the incident. */
const JOIN_HOURS = 7 * HOURS_PER_DAY

/** Hours in any order; of equal hours the first counts. */
export function replayIncidents(tree: PartTree, evaluations: readonly Evaluation[]): IncidentLog {
  const inOrder = [...evaluations].sort((a, b) => a.hour - b.hour)
  return inOrder.reduce((log, evaluation) => advanceIncidents(tree, log, evaluation), EMPTY_LOG)
}

type Hour = { readonly situation: Situation; readonly hour: HourNumber; readonly events: IncidentEvent[] }

/** Updates the known incidents, then opens new ones. An hour that was evaluated before changes nothing. */
export function advanceIncidents(tree: PartTree, log: IncidentLog, evaluation: Evaluation): IncidentLog {
  const { hour, threshold, scores, splits = new Map(), facts = [] } = evaluation
  if (hour <= log.evaluatedTo) return log
  const now: Hour = { situation: { tree, scores, splits, threshold }, hour, events: [] }
  const incidents = log.incidents.map((incident) => (incident.endedAt === null ? updated(incident, now) : incident))
  for (const cause of factCauses(facts, threshold)) joinOrOpen(incidents, cause, now)
  for (const cause of newCauses(incidents, now)) joinOrOpen(incidents, cause, now)
  return { evaluatedTo: hour, incidents, events: [...log.events, ...now.events] }
}

function updated(incident: Incident, now: Hour): Incident {
  const { situation, hour, events } = now
  const { scores, threshold } = situation
  const excess = scores.get(incident.part)?.excess ?? 0n
  if (isOver(incident, now)) {
    if (!incident.isShift) events.push({ kind: 'ended', id: incident.id, hour })
    return { ...incident, endedAt: hour }
  }
  if (excess <= threshold) return incident
  const seen = { ...incident, lastAboveAt: hour }
  return grown(incident.isShift && !isShift(situation, incident.part, excess) ? sent(seen, now) : seen, excess, now)
}

/** 24 known hours are back under half the threshold. A part without a forecast ends after the time to join. */
function isOver({ part, lastAboveAt }: Incident, { situation: { scores, threshold }, hour }: Hour): boolean {
  const score = scores.get(part)
  if (!score?.isFitted) return hour - lastAboveAt > JOIN_HOURS
  return score.isComplete && 2n * score.excess < threshold
}

/** The cluster rises too, so the shift becomes an incident. */
function sent(incident: Incident, { hour, events }: Hour): Incident {
  events.push({ kind: 'opened', id: incident.id, hour })
  return { ...incident, isShift: false }
}

/** Each growth by half over what was announced is sent once. */
function grown(incident: Incident, excess: Decimal, { hour, events }: Hour): Incident {
  const isFirstDay = hour - incident.openedAt < HOURS_PER_DAY
  const orExcess = (usd: Decimal) => (excess > usd ? excess : usd)
  const larger = { ...incident, peakUsd: orExcess(incident.peakUsd) }
  if (isFirstDay) return { ...larger, announcedUsd: orExcess(incident.announcedUsd) }
  if (incident.isShift || 2n * excess < 3n * incident.announcedUsd) return larger
  events.push({ kind: 'grew', id: incident.id, hour })
  return { ...larger, announcedUsd: excess }
}

const factCauses = (facts: readonly Fact[], threshold: Decimal): Cause[] =>
  facts
    .filter(({ usdPerDay }) => usdPerDay > threshold)
    .map(({ usdPerDay, ...fact }) => ({ ...fact, excess: usdPerDay }))

/** Causes of the excess that the open incidents do not explain. */
function newCauses(incidents: readonly Incident[], { situation, hour }: Hour): Cause[] {
  const unexplained = allExcess(situation.scores)
  for (const incident of incidents) {
    if (incident.endedAt !== null) continue
    explainPart(situation.tree, unexplained, incident.part, isJoining(incident, hour) ? 'with-parts-below' : 'alone')
  }
  return findCauses(situation, unexplained)
}

const isJoining = ({ openedAt, isAccepted }: Incident, hour: HourNumber): boolean =>
  !isAccepted && hour - openedAt <= JOIN_HOURS

function joinOrOpen(incidents: Incident[], cause: Cause, now: Hour): void {
  const { hour, situation } = now
  const at = incidents.findLastIndex(
    (incident) => isJoining(incident, hour) && isRelated(situation.tree, incident.part, cause.part),
  )
  const known = incidents[at]
  if (known) incidents[at] = joined(known, cause, now)
  else incidents.push(opened(cause, now))
}

function opened({ part, kind, detail, excess, ...cause }: Cause, { hour, events }: Hour): Incident {
  const id = `${hour}/${part}`
  if (!cause.isShift) events.push({ kind: 'opened', id, hour })
  return {
    ...{ id, part, kind, detail, isShift: cause.isShift, isAccepted: false, joined: [] },
    ...{ openedAt: hour, lastAboveAt: hour, endedAt: null, announcedUsd: excess, peakUsd: excess },
  }
}

/** An incident that ended is open again. */
function joined(incident: Incident, cause: Cause, now: Hour): Incident {
  const known = incident.isShift && !cause.isShift ? sent(incident, now) : incident
  const others = new Set([...known.joined, cause.part])
  others.delete(known.part)
  const again = cause.part === known.part ? { endedAt: null, lastAboveAt: now.hour } : {}
  return grown({ ...known, ...again, joined: [...others].sort() }, cause.excess, now)
}
