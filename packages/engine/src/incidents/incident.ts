import { compare } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { HOURS_PER_DAY } from '../forecast/day-cost.ts'
import type { Fact } from './facts.ts'
import {
  allExcess,
  explainPart,
  explainShares,
  findCauses,
  isShift,
  priceSharesOf,
  type Cause,
  type CauseName,
  type PriceShares,
  type Scores,
  type Situation,
  type Splits,
} from './find-causes.ts'
import { isRelated, type PartTree } from './part-tree.ts'

/** Hours since 1970. */
export type HourNumber = number

/** The excess of a part in the messages that were sent. */
type Announced = {
  /** The largest excess of the 24 hours after the last message: the trailing 24 hours take a day to hold a whole rise. */
  readonly announcedUsd: Decimal
  readonly announcedAt: HourNumber
}

/** Another part over the threshold, with the messages about it. Without a message, the incident itself was announced. */
export type JoinedPart = { readonly part: string; readonly announced: Announced | null }

export type Incident = CauseName &
  Announced & {
    /** The same hours give the same id. */
    readonly id: string
    readonly part: string
    readonly openedAt: HourNumber
    /** The hour of the last cause on the part: it opened the incident, or opened the incident again. */
    readonly causedAt: HourNumber
    /** The last hour with an excess over the threshold since `causedAt`. A fact is known before the excess is. */
    readonly lastAboveAt: HourNumber | null
    readonly endedAt: HourNumber | null
    /** A person accepted the new level, so a later excess is another incident. */
    readonly isAccepted: boolean
    /** A shift is listed and never sent. */
    readonly isShift: boolean
    /** The largest excess of `part`, without the joined parts. */
    readonly peakUsd: Decimal
    /** In order of their names. */
    readonly joined: readonly JoinedPart[]
    /** What the price adds to each part at its largest. Empty unless a price is the cause. */
    readonly shares: PriceShares
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
  const newFacts = facts.filter((fact) => !incidents.some((incident) => isAcceptedFact(incident, fact, hour)))
  for (const cause of factCauses(newFacts, now.situation)) joinOrOpen(incidents, cause, now)
  for (const cause of newCauses(incidents, now)) joinOrOpen(incidents, cause, now)
  return { evaluatedTo: hour, incidents, events: [...log.events, ...now.events] }
}

function updated(incident: Incident, now: Hour): Incident {
  const { situation, hour, events } = now
  const { scores, threshold } = situation
  const excess = scores.get(incident.part)?.excess ?? 0n
  if (isEnding(incident, now)) {
    if (!incident.isShift) events.push({ kind: 'ended', id: incident.id, hour })
    return { ...incident, endedAt: hour }
  }
  if (excess <= threshold) return incident
  const seen = { ...incident, lastAboveAt: hour }
  if (incident.isShift && !isShift(situation, incident.part, excess)) return sent(withPeak(seen, excess), excess, now)
  return grown(seen, excess, now)
}

/**
 * 24 known hours are back under half the threshold. The trailing 24 hours of a fact hold its whole rise after a day, so the
 * incident stays open until then. A part without a forecast ends after the time to join.
 */
function isEnding(
  { part, causedAt, lastAboveAt }: Incident,
  { situation: { scores, threshold }, hour }: Hour,
): boolean {
  const score = scores.get(part)
  if (!score?.isFitted) return hour - (lastAboveAt ?? causedAt) > JOIN_HOURS
  if (lastAboveAt === null && hour - causedAt < HOURS_PER_DAY) return false
  return score.isComplete && 2n * score.excess < threshold
}

/** The cluster rises too, so the shift becomes an incident. */
function sent(incident: Incident, excess: Decimal, { hour, events }: Hour): Incident {
  events.push({ kind: 'opened', id: incident.id, hour })
  return { ...incident, isShift: false, announcedUsd: excess, announcedAt: hour }
}

const larger = (a: Decimal, b: Decimal): Decimal => (a > b ? a : b)
const withPeak = (incident: Incident, excess: Decimal): Incident => ({
  ...incident,
  peakUsd: larger(incident.peakUsd, excess),
})
const isHalfMore = (excess: Decimal, usd: Decimal): boolean => 2n * excess >= 3n * usd

/** Each growth by half over what was announced is sent once. */
function grown(incident: Incident, excess: Decimal, now: Hour): Incident {
  const next = withPeak(incident, excess)
  if (now.hour - incident.announcedAt >= HOURS_PER_DAY) return grownByHalf(next, excess, now)
  return { ...next, announcedUsd: larger(incident.announcedUsd, excess) }
}

function grownByHalf(incident: Incident, excess: Decimal, { hour, events }: Hour): Incident {
  if (incident.isShift || !isHalfMore(excess, incident.announcedUsd)) return incident
  events.push({ kind: 'grew', id: incident.id, hour })
  return { ...incident, announcedUsd: excess, announcedAt: hour }
}

const factCauses = (facts: readonly Fact[], situation: Situation): Cause[] =>
  facts
    .filter(({ usdPerDay }) => usdPerDay > situation.threshold)
    .map(({ usdPerDay, ...fact }) => ({
      ...fact,
      excess: usdPerDay,
      ...(fact.kind === 'price' ? { shares: priceSharesOf(situation, fact.part, fact.detail) } : {}),
    }))

/** A fact that a person accepted, and that is not half more since. */
const isAcceptedFact = (incident: Incident, { part, kind, detail, usdPerDay }: Fact, hour: HourNumber): boolean =>
  incident.isAccepted &&
  hour - (incident.endedAt ?? hour) <= JOIN_HOURS &&
  incident.part === part &&
  incident.kind === kind &&
  incident.detail === detail &&
  !isHalfMore(usdPerDay, incident.announcedUsd)

/** Causes of the excess that the open incidents do not explain. */
function newCauses(incidents: readonly Incident[], { situation, hour }: Hour): Cause[] {
  const unexplained = allExcess(situation.scores)
  for (const incident of incidents) {
    if (incident.endedAt !== null) continue
    const { part, shares } = incident
    if (shares.size > 0) explainShares(unexplained, shares, part, situation.scores.get(part)?.excess ?? 0n)
    else
      explainPart(situation.tree, unexplained, incident.part, isJoining(incident, hour) ? 'with-parts-below' : 'alone')
  }
  return findCauses(situation, unexplained)
}

const isJoining = ({ openedAt }: Incident, hour: HourNumber): boolean => hour - openedAt <= JOIN_HOURS

/** A price incident takes only the price of its parts. Other excess of these parts has another cause. */
const isOtherThanPrice = (incident: Incident, kind: Cause['kind']): boolean =>
  incident.kind === 'price' && kind !== 'price'

/** A team lies in no cluster, so the price of a class in a cluster and in a team are related by the class. */
const hasSamePrice = (incident: Incident, { part, kind, detail }: Cause, { tree }: Situation): boolean =>
  tree.parts.get(part)?.level === 'team' && kind === 'price' && incident.kind === kind && incident.detail === detail

/** An incident that ended takes a later excess of its own part only. A part that joined stays joined while the incident is open. */
function takes(incident: Incident, cause: Cause, { hour, situation }: Hour): boolean {
  const { part, kind } = cause
  if (!isJoining(incident, hour)) return incident.endedAt === null && hasJoined(incident, part)
  if (incident.endedAt !== null) return !incident.isAccepted && incident.part === part
  return (
    incident.part === part ||
    hasSamePrice(incident, cause, situation) ||
    (isRelated(situation.tree, incident.part, part) && !isOtherThanPrice(incident, kind))
  )
}

const hasJoined = ({ joined: parts }: Incident, part: string): boolean => parts.some((each) => each.part === part)

function joinOrOpen(incidents: Incident[], cause: Cause, now: Hour): void {
  const at = incidents.findLastIndex((incident) => takes(incident, cause, now))
  const known = incidents[at]
  if (!known) incidents.push(opened(cause, now))
  else incidents[at] = known.part === cause.part ? causedAgain(known, cause, now) : joined(known, cause, now)
}

/** The trailing 24 hours of a part show the cause already. */
const lastAboveAt = (part: string, { situation: { scores, threshold }, hour }: Hour): HourNumber | null =>
  (scores.get(part)?.excess ?? 0n) > threshold ? hour : null

function opened({ part, kind, detail, excess, isShift: isShifted, shares = new Map() }: Cause, now: Hour): Incident {
  const { hour, events } = now
  const id = `${hour}/${part}`
  if (!isShifted) events.push({ kind: 'opened', id, hour })
  return {
    ...{ id, part, kind, detail, isShift: isShifted, isAccepted: false, joined: [], shares },
    ...{ openedAt: hour, causedAt: hour, lastAboveAt: lastAboveAt(part, now), endedAt: null },
    ...{ announcedUsd: excess, announcedAt: hour, peakUsd: excess },
  }
}

/** Another cause on the part of the incident. An incident that ended is open again. */
function causedAgain(incident: Incident, cause: Cause, now: Hour): Incident {
  const { part, excess, isShift: isShifted } = cause
  const shares = largerShares(incident, cause)
  const again = { causedAt: now.hour, lastAboveAt: lastAboveAt(part, now), endedAt: null, shares }
  const open = withPeak({ ...incident, ...again }, excess)
  if (isShifted) return open
  return open.isShift ? sent(open, excess, now) : grownByHalf(open, excess, now)
}

/** The trailing 24 hours take a day to hold a whole price. */
function largerShares({ part, kind, detail, shares }: Incident, cause: Cause): PriceShares {
  const isSame = cause.kind === kind && cause.detail === detail
  if (!isSame || !cause.shares) return shares
  return (cause.shares.get(part) ?? 0n) > (shares.get(part) ?? 0n) ? cause.shares : shares
}

/** Another part joins. A message follows if its excess is half more than what was announced. */
function joined(incident: Incident, cause: Cause, now: Hour): Incident {
  const { hour, events } = now
  const before = incident.joined.find(({ part }) => part === cause.part)?.announced ?? null
  const others = incident.joined.filter(({ part }) => part !== cause.part)
  const withPart = (known: Incident, announced: Announced | null): Incident => ({
    ...known,
    joined: [...others, { part: cause.part, announced }].sort((a, b) => compare(a.part, b.part)),
  })
  const announcedNow = { announcedUsd: cause.excess, announcedAt: hour }
  if (cause.isShift) return withPart(incident, before)
  if (incident.isShift) return withPart(sent(incident, incident.announcedUsd, now), announcedNow)
  if (before && hour - before.announcedAt < HOURS_PER_DAY) {
    return withPart(incident, { ...before, announcedUsd: larger(before.announcedUsd, cause.excess) })
  }
  if (!isHalfMore(cause.excess, (before ?? incident).announcedUsd)) return withPart(incident, before)
  events.push({ kind: 'grew', id: incident.id, hour })
  return withPart(incident, announcedNow)
}
