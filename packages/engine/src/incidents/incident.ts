import type { Decimal } from '../decimal.ts'
import { HOURS_PER_DAY } from '../forecast/day-cost.ts'
import {
  allExcess,
  explainPart,
  findCauses,
  type Cause,
  type CauseName,
  type Scores,
  type Splits,
} from './find-causes.ts'
import type { Fact } from './facts.ts'
import { isRelated, type PartTree } from './part-tree.ts'
import type { PartScore } from './score.ts'

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
  /** The largest excess of the first 24 hours. Growth is measured from it. */
  readonly firstUsd: Decimal
  readonly peakUsd: Decimal
  readonly hasGrown: boolean
  /** Other parts over the threshold, in order of their names. */
  readonly joined: readonly string[]
}

/** What the finalised hour shows. */
export type Evaluation = {
  readonly hour: HourNumber
  readonly threshold: Decimal
  readonly scores: Scores
  readonly splits?: Splits
  readonly facts?: readonly Fact[]
}

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

/** A related excess within this time joins the incident. */
const JOIN_HOURS = 7 * HOURS_PER_DAY

/** Hours in any order; of equal hours the first counts. */
export function replayIncidents(tree: PartTree, evaluations: readonly Evaluation[]): IncidentLog {
  const inOrder = [...evaluations].sort((a, b) => a.hour - b.hour)
  return inOrder.reduce((log, evaluation) => advanceIncidents(tree, log, evaluation), EMPTY_LOG)
}

/** Ends and grows the known incidents, then opens new ones. An hour that was evaluated before changes nothing. */
export function advanceIncidents(tree: PartTree, log: IncidentLog, evaluation: Evaluation): IncidentLog {
  if (evaluation.hour <= log.evaluatedTo) return log
  const events: IncidentEvent[] = []
  const incidents = log.incidents.map((incident) => update(incident, evaluation, events))
  for (const cause of [...factCauses(evaluation), ...newCauses(tree, incidents, evaluation)]) {
    joinOrOpen({ tree, incidents, evaluation, events }, cause)
  }
  return {
    evaluatedTo: evaluation.hour,
    incidents,
    events: events.length > 0 ? [...log.events, ...events] : log.events,
  }
}

function update(incident: Incident, evaluation: Evaluation, events: IncidentEvent[]): Incident {
  if (incident.endedAt !== null) return incident
  const { hour, threshold, scores } = evaluation
  const score = scores.get(incident.part)
  if (isOver(incident, score, evaluation)) {
    events.push({ kind: 'ended', id: incident.id, hour })
    return { ...incident, endedAt: hour }
  }
  const excess = score?.excess ?? 0n
  if (excess <= threshold) return incident
  return grown({ ...incident, lastAboveAt: hour }, excess, hour, events)
}

/** 24 known hours are back under half the threshold. A part without a forecast ends after the time to join. */
function isOver(incident: Incident, score: PartScore | undefined, { hour, threshold }: Evaluation): boolean {
  if (!score?.isFitted) return hour - incident.lastAboveAt > JOIN_HOURS
  return score.isComplete && 2n * score.excess < threshold
}

/** Growth by half over the first 24 hours speaks once. */
function grown(incident: Incident, excess: Decimal, hour: HourNumber, events: IncidentEvent[]): Incident {
  const isFirstDay = hour - incident.openedAt < HOURS_PER_DAY
  const larger = (usd: Decimal) => (excess > usd ? excess : usd)
  const updated = {
    ...incident,
    firstUsd: isFirstDay ? larger(incident.firstUsd) : incident.firstUsd,
    peakUsd: larger(incident.peakUsd),
  }
  if (isFirstDay || incident.hasGrown || 2n * excess < 3n * incident.firstUsd) return updated
  if (!incident.isShift) events.push({ kind: 'grew', id: incident.id, hour })
  return { ...updated, hasGrown: true }
}

const factCauses = ({ facts = [], threshold }: Evaluation): Cause[] =>
  facts
    .filter(({ usdPerDay }) => usdPerDay > threshold)
    .map(({ usdPerDay, ...fact }) => ({ ...fact, excess: usdPerDay, isShift: false }))

/** Causes of the excess that the open incidents do not explain. */
function newCauses(tree: PartTree, incidents: readonly Incident[], evaluation: Evaluation): Cause[] {
  const { scores, splits = new Map(), threshold } = evaluation
  const unexplained = allExcess(scores)
  for (const { part, endedAt } of incidents) if (endedAt === null) explainPart(tree, unexplained, part)
  return findCauses({ tree, scores, splits, threshold }, unexplained)
}

type Hour = {
  readonly tree: PartTree
  readonly incidents: Incident[]
  readonly evaluation: Evaluation
  readonly events: IncidentEvent[]
}

function joinOrOpen({ tree, incidents, evaluation: { hour }, events }: Hour, cause: Cause): void {
  const at = incidents.findLastIndex(
    ({ part, lastAboveAt, isAccepted }) =>
      !isAccepted && hour - lastAboveAt <= JOIN_HOURS && isRelated(tree, part, cause.part),
  )
  const known = incidents[at]
  if (known) incidents[at] = joined(known, cause, hour, events)
  else incidents.push(opened(cause, hour, events))
}

function opened({ part, kind, detail, excess, isShift }: Cause, hour: HourNumber, events: IncidentEvent[]): Incident {
  const id = `${hour}/${part}`
  if (!isShift) events.push({ kind: 'opened', id, hour })
  return {
    ...{ id, part, kind, detail, isShift, openedAt: hour, lastAboveAt: hour, endedAt: null, isAccepted: false },
    ...{ firstUsd: excess, peakUsd: excess, hasGrown: false, joined: [] },
  }
}

/** An incident that ended is open again. A shift becomes an incident when the cluster rises too. */
function joined(incident: Incident, cause: Cause, hour: HourNumber, events: IncidentEvent[]): Incident {
  const isShift = incident.isShift && cause.isShift
  if (incident.isShift && !isShift) events.push({ kind: 'opened', id: incident.id, hour })
  const others = new Set([...incident.joined, cause.part])
  others.delete(incident.part)
  const isOwn = cause.part === incident.part
  return {
    ...incident,
    isShift,
    joined: [...others].sort(),
    ...(isOwn && { endedAt: null, lastAboveAt: hour }),
    ...(isOwn && cause.excess > incident.peakUsd && { peakUsd: cause.excess }),
  }
}
