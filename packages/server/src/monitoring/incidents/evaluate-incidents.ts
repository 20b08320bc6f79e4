import { dayMs, type Decimal } from '@plimsoll/engine'
import type { EffectSums } from '@plimsoll/engine/changes'
import type { AcceptedStep, AsOf, CostHistory } from '@plimsoll/engine/forecast'
import {
  acceptedSteps,
  acceptIncident,
  advanceIncidents,
  factsOf,
  findThreshold,
  scorePart,
  type FactLine,
  type IncidentLog,
  type Scores,
  type Splits,
} from '@plimsoll/engine/incidents'
import { loadThresholds } from '../../alerts/index.ts'
import { loadSplits } from '../../costs/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { WatchedCluster } from '../cost-conditions.ts'
import { isFresh } from '../cost-conditions.ts'
import {
  findIncidentState,
  listAcceptedIncidents,
  listIncidents,
  type IncidentState,
  type StoredStep,
} from '../queries/incidents.ts'
import { asOfEnd, loadCosts, type CostsOfParts } from './load-costs.ts'
import { partKey } from './part-key.ts'
import { readIncident } from './stored-incident.ts'

const hourMs = 3_600_000
const weekMs = 7 * dayMs
const joinHours = 7 * 24
const pastDays = 60

export type IncidentResult = { state: IncidentState; log: IncidentLog }

/** Null: no new finalised hour. The result is not stored yet. */
export async function evaluateIncidents(
  db: Db,
  clusters: readonly WatchedCluster[],
  now: Date,
): Promise<IncidentResult | null> {
  const fresh = clusters.filter(({ figures }) => isFresh(figures, now))
  const newest = Math.min(...fresh.map(({ figures }) => figures.newest?.getTime() ?? 0))
  const hour = Math.floor(newest / hourMs)
  const before = await findIncidentState(db)
  if (fresh.length === 0 || hour <= (before.evaluatedTo ?? -1)) return null
  const end = new Date((hour + 1) * hourMs)
  return readAtOnce(db, (tx) => evaluateHour(tx, { clusters: fresh, hour, end, before, now }))
}

type Question = { clusters: readonly WatchedCluster[]; hour: number; end: Date; before: IncidentState; now: Date }

async function evaluateHour(tx: Db, { clusters, hour, end, before, now }: Question): Promise<IncidentResult> {
  const costs = await loadCosts(
    tx,
    clusters.map(({ clusterId }) => clusterId),
    end,
  )
  const asOf = asOfEnd(end)
  const histories = historiesOf(costs, before.steps)
  const incidents = (await listIncidents(tx, hour - joinHours)).map(readIncident)
  const known: IncidentLog = { evaluatedTo: before.evaluatedTo ?? hour - 1, incidents, events: [] }
  const { log: open, steps } = await withAccepted(tx, { costs, histories, hour, asOf, log: known })
  const level = historiesOf(costs, { ...before.steps, ...steps })
  const scores = scoresOf(costs, level, asOf)
  const { threshold, state } = await thresholdOf(tx, { costs, histories: level, asOf, before, now })
  const { splits, lines } = await loadClusterSplits(tx, clusters, end)
  const log = advanceIncidents(costs.tree, open, { hour, threshold, scores, splits, facts: factsOf(lines) })
  return { log, state: { ...before, ...state, evaluatedTo: hour, steps: { ...before.steps, ...steps } } }
}

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
  const past = await pastScores(histories, asOf)
  const usdPerDay = costs.recent.get('installation')?.trailing.usd ?? 0n
  const found = findThreshold({ tree: costs.tree, past, alertsPer30Days: alerts, usdPerDay })
  return {
    threshold: found,
    state: { threshold: found.toString(), thresholdAt: now, alertsPerMonth: String(alerts) },
  }
}

/** The scores of each whole day of the last 60. The event loop is free between two days. */
async function pastScores(histories: ReadonlyMap<string, CostHistory>, asOf: AsOf) {
  const past: { hour: number; scores: Scores }[] = []
  for (let day = asOf.day - pastDays + 1; day <= asOf.day; day += 1) {
    const scores = [...histories].flatMap(([key, history]) => {
      const last = history.days.find((each) => each.day === day - 1)
      const trailing = last && { usd: last.usd, knownHours: last.knownHours }
      return trailing ? [[key, scorePart(history, { day, hours: 0 }, trailing)] as const] : []
    })
    past.push({ hour: day * 24 - 1, scores: new Map(scores) })
    await new Promise((done) => setImmediate(done))
  }
  return past
}

/** What changed between the last 24 hours and the 24 hours before. */
async function loadClusterSplits(
  tx: Db,
  clusters: readonly WatchedCluster[],
  end: Date,
): Promise<{ splits: Splits; lines: FactLine[] }> {
  const splits = new Map<string, EffectSums>()
  const lines: FactLine[] = []
  const before = { from: new Date(end.getTime() - 2 * dayMs), to: new Date(end.getTime() - dayMs) }
  for (const { clusterId, name } of clusters) {
    const found = await loadSplits(tx, { id: clusterId, name }, { before, now: { from: before.to, to: end } })
    const clusterUsd = found.reduce((sum, { usd }) => sum + usd, 0n)
    for (const { namespace, workload, effects } of found) {
      const [, kind = '', workloadName] = workload.split('/')
      if (namespace.startsWith('__')) continue
      if (workloadName === undefined) continue
      const part = partKey(clusterId, { level: 'workload', namespace, kind, name: workloadName })
      splits.set(part, effects)
      addTo(splits, `${clusterId}/${namespace}`, effects)
      addTo(splits, clusterId, effects)
      lines.push({ part, level: 'workload', effects, hours: 24, clusterUsd, isAutoscaled: true })
    }
  }
  return { splits, lines }
}

function addTo(splits: Map<string, EffectSums>, key: string, effects: EffectSums): void {
  const sums = splits.get(key) ?? new Map<string, Decimal>()
  splits.set(key, sums)
  for (const [effect, usd] of effects) sums.set(effect, (sums.get(effect) ?? 0n) + usd)
}
