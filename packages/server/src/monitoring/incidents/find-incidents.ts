import { dayMs, hourMs, type Decimal } from '@plimsoll/engine'
import type { AcceptedStep, AsOf, CostHistory } from '@plimsoll/engine/forecast'
import {
  acceptedSteps,
  acceptIncident,
  advanceIncidents,
  factsOf,
  findThreshold,
  scorePart,
  type Incident,
  type IncidentLog,
  type PartScore,
  type Scores,
} from '@plimsoll/engine/incidents'
import { loadThresholds } from '../../alerts/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { listRepricing } from '../../prices/index.ts'
import { isFresh } from '../cost-conditions.ts'
import {
  findIncidentState,
  listAcceptedIncidents,
  listIncidents,
  type IncidentState,
  type NewestHour,
  type StoredStep,
} from '../queries/incidents.ts'
import { loadClusterSplits } from './load-cluster-splits.ts'
import { asOfEnd, historyDays, loadCosts, type CostsOfParts } from './load-costs.ts'
import { findIncompleteParts } from './incomplete-parts.ts'
import { placeOf } from './part-key.ts'
import { readIncident } from './stored-incident.ts'

const weekMs = 7 * dayMs
const joinHours = 7 * 24
const pastDays = 60

/** `basedOn` is the revision of the stored incidents that the result continues. */
export type IncidentResult = { basedOn: string; state: IncidentState; log: IncidentLog }

/** The newest hour that every cluster with recent data has. Undefined: no cluster has recent data. */
export function newestCommonHour(clusters: readonly Pick<NewestHour, 'newest'>[], now: Date): number | undefined {
  const newest = clusters.flatMap((each) => (each.newest && isFresh(each, now) ? [each.newest.getTime()] : []))
  return newest.length === 0 ? undefined : Math.floor(Math.min(...newest) / hourMs)
}

export const isNewHour = (hour: number | undefined, { evaluatedTo }: IncidentState): hour is number =>
  hour !== undefined && hour > (evaluatedTo ?? -1)

/** `again` evaluates the newest hour also if it was evaluated before: history may have arrived since. */
export type IncidentQuestion = { clusters: readonly NewestHour[]; now: Date; again: boolean }

/** Null: no new finalised hour. The result is not stored yet. */
export async function findIncidents(
  db: Db,
  { clusters, now, again }: IncidentQuestion,
): Promise<IncidentResult | null> {
  const hour = newestCommonHour(clusters, now)
  const stored = await findIncidentState(db)
  const before = again ? withoutHour(stored, hour) : stored
  if (!isNewHour(hour, before)) return null
  // Hours before and after a price that is being applied are not comparable. A backdated price is not an incident.
  const repricing = new Set(await listRepricing(db))
  const fresh = clusters.filter((each) => isFresh(each, now) && !repricing.has(each.clusterId))
  const end = new Date((hour + 1) * hourMs)
  const leftOut = clusters.filter((each) => !fresh.includes(each))
  return readAtOnce(db, (tx) => evaluateHour(tx, { clusters: fresh, leftOut, hour, end, before, now }))
}

/** The hour counts as new, and the threshold is computed again. */
const withoutHour = (state: IncidentState, hour = 0): IncidentState => ({
  ...state,
  evaluatedTo: state.evaluatedTo === hour ? hour - 1 : state.evaluatedTo,
  thresholdAt: null,
})

type Question = {
  clusters: readonly NewestHour[]
  /** Without recent data, or with hours that are being repriced. */
  leftOut: readonly NewestHour[]
  hour: number
  end: Date
  before: IncidentState
  now: Date
}

async function evaluateHour(tx: Db, question: Question): Promise<IncidentResult> {
  const { hour, end, before, now } = question
  const all = (await listIncidents(tx, hour - joinHours)).map(readIncident)
  const costs = await loadCosts(tx, { clusters: question.clusters, end, kept: partsOf(all) })
  const clusters = question.clusters.filter(({ clusterId }) => !costs.unread.has(clusterId))
  const { evaluated: incidents, others } = withData(all, clusters)
  const asOf = asOfEnd(end)
  const histories = historiesOf(costs, before.steps)
  const known: IncidentLog = { evaluatedTo: before.evaluatedTo ?? hour - 1, incidents, events: [] }
  const { log: open, steps } = await withAccepted(tx, { costs, histories, hour, asOf, log: known })
  const level = historiesOf(costs, { ...before.steps, ...steps })
  const without = (ids: ReadonlySet<string>) => question.clusters.filter(({ clusterId }) => ids.has(clusterId))
  const missing = [...question.leftOut, ...without(costs.unread)]
  const incomplete = await findIncompleteParts(tx, incidents, {
    ...{ hour, missing, missingTeams: without(costs.unreadTeams) },
  })
  const scores = withIncomplete(scoresOf(costs, level, asOf), incomplete)
  const { threshold, state } = await thresholdOf(tx, { costs, histories: level, asOf, before, now })
  const { splits, lines } = await loadClusterSplits(tx, clusters, end, costs.tree)
  const log = advanceIncidents(costs.tree, open, { hour, threshold, scores, splits, facts: factsOf(lines) })
  const kept = youngSteps({ ...before.steps, ...steps }, asOf)
  return {
    basedOn: before.revision,
    log: { ...log, incidents: [...log.incidents, ...others] },
    state: { ...before, ...state, evaluatedTo: hour, steps: kept },
  }
}

/** A cluster that is left out lowers the cost of its teams. This does not end their incidents. */
function withIncomplete(scores: Scores, parts: ReadonlySet<string>): Scores {
  const frozen = [...parts].map((part): [string, PartScore] => [
    part,
    { excess: scores.get(part)?.excess ?? 0n, isComplete: false, isFitted: true },
  ])
  return new Map([...scores, ...frozen])
}

const idsOf = (clusters: readonly NewestHour[]) => clusters.map(({ clusterId }) => clusterId)

/** A cluster without recent data does not show that an incident ended, so its incidents stay unchanged. */
function withData(incidents: readonly Incident[], clusters: readonly NewestHour[]) {
  const ids = new Set(idsOf(clusters))
  const hasData = ({ part }: Incident) => {
    const { clusterId } = placeOf(part)
    return clusterId === null || ids.has(clusterId)
  }
  return { evaluated: incidents.filter(hasData), others: incidents.filter((each) => !hasData(each)) }
}

/** The parts of open incidents. Their costs show whether the incidents end. */
const partsOf = (incidents: readonly Incident[]): string[] =>
  incidents
    .filter(({ endedAt }) => endedAt === null)
    .flatMap(({ part, joined }) => [part, ...joined.map((each) => each.part)])

/** A step changes no forecast once it is older than the history. */
const youngSteps = (steps: IncidentState['steps'], { day }: AsOf): IncidentState['steps'] =>
  Object.fromEntries(Object.entries(steps).filter(([, step]) => step.day > day - historyDays))

function historiesOf({ days }: CostsOfParts, steps: IncidentState['steps']): Map<string, CostHistory> {
  return new Map(
    [...days].map(([key, list]) => {
      const step = steps[key]
      return [key, { days: list, ...(step ? { step: readStep(step) } : {}) }]
    }),
  )
}

const readStep = ({ day, hours, usdPerDay }: StoredStep): AcceptedStep => ({
  at: { day, hours },
  usdPerDay: BigInt(usdPerDay),
})

const storeStep = ({ at, usdPerDay }: AcceptedStep): StoredStep => ({ ...at, usdPerDay: usdPerDay.toString() })

type Accepting = {
  costs: CostsOfParts
  histories: ReadonlyMap<string, CostHistory>
  hour: number
  asOf: AsOf
  log: IncidentLog
}

/** Incidents that a person accepted end at this hour, and their cost is normal from then on. */
async function withAccepted(
  tx: Db,
  { costs, histories, hour, asOf, log }: Accepting,
): Promise<{ log: IncidentLog; steps: IncidentState['steps'] }> {
  const steps: IncidentState['steps'] = {}
  let accepted = log
  for (const id of await listAcceptedIncidents(tx)) {
    const incident = accepted.incidents.find((each) => each.id === id && each.endedAt === null)
    if (!incident) continue
    accepted = acceptIncident(accepted, id, hour)
    const acceptance = { part: incident.part, at: asOf, costs: costs.recent }
    for (const [key, step] of acceptedSteps(costs.tree, histories, acceptance)) steps[key] = storeStep(step)
  }
  return { log: accepted, steps }
}

function scoresOf({ recent }: CostsOfParts, histories: ReadonlyMap<string, CostHistory>, asOf: AsOf): Scores {
  return new Map(
    [...histories].map(([key, history]) => {
      const trailing = recent.get(key)?.trailing ?? { usd: 0n, knownHours: 0 }
      return [key, scorePart(history, asOf, trailing)]
    }),
  )
}

type ThresholdInput = Pick<Accepting, 'costs' | 'histories' | 'asOf'> & { before: IncidentState; now: Date }

/** Computed weekly, or when the alert budget was changed. */
async function thresholdOf(
  tx: Db,
  { costs, histories, asOf, before, now }: ThresholdInput,
): Promise<{ threshold: Decimal; state: Pick<IncidentState, 'threshold' | 'thresholdAt' | 'alertsPerMonth'> }> {
  const { alerts_per_month: alerts = 4 } = await loadThresholds(tx, 'cost_above_expected')
  const { threshold, thresholdAt, alertsPerMonth } = before
  const isCurrent = thresholdAt !== null && now.getTime() - thresholdAt.getTime() < weekMs
  if (threshold !== null && isCurrent && Number(alertsPerMonth) === alerts)
    return { threshold: BigInt(threshold), state: { threshold, thresholdAt, alertsPerMonth } }
  const past = pastScores(histories, asOf)
  const found = findThreshold({ tree: costs.tree, past, alertsPer30Days: alerts, usdPerDay: costs.usdPerDay })
  return {
    threshold: found,
    state: { threshold: found.toString(), thresholdAt: now, alertsPerMonth: String(alerts) },
  }
}

/** The scores of each whole day of the last 60. */
function pastScores(histories: ReadonlyMap<string, CostHistory>, asOf: AsOf) {
  const past: { hour: number; scores: Scores }[] = []
  for (let day = asOf.day - pastDays + 1; day <= asOf.day; day += 1) {
    const scores = [...histories].flatMap(([key, history]) => {
      const last = history.days.find((each) => each.day === day - 1)
      const trailing = last && { usd: last.usd, knownHours: last.knownHours }
      return trailing ? [[key, scorePart(history, { day, hours: 0 }, trailing)] as const] : []
    })
    past.push({ hour: day * 24 - 1, scores: new Map(scores) })
  }
  return past
}
