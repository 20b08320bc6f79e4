import { isTeamName } from '@plimsoll/contract'
import { dayMs, groupBy, HOURS_PER_MONTH } from '@plimsoll/engine'
import {
  evaluateRule,
  loadThresholds,
  lockDelivery,
  noteDigest,
  noteEvaluated,
  repeatAlerts,
  type AlertCondition,
} from '../../alerts/index.ts'
import { queueReport } from '../../channels/index.ts'
import { listAllClusters } from '../../clusters/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { loadTeamMapping, teamOf, type TeamRules } from '../../settings/index.ts'
import { recordTeams } from '../../teams/index.ts'
import {
  coverageCondition,
  idleCondition,
  isFresh,
  unownedCondition,
  unpricedCondition,
  type UnownedNamespace,
  type WatchedCluster,
} from '../cost-conditions.ts'
import { digestMessage, isDigestDue } from '../digest.ts'
import { hasNewHour, skipHour } from '../incidents/evaluate-incidents.ts'
import { EvaluationTooLong } from '../incidents/evaluation-too-long.ts'
import { absentCondition, failingCondition, savingsCondition } from '../installation-conditions.ts'
import { findClusterFigures, listNamespaceCosts } from '../queries/cluster-figures.ts'
import { loadDigestFigures } from '../queries/digest.ts'
import { listAbsentOwners, listFailingChannels, listWaitingSavings } from '../queries/installation-figures.ts'

/** A reverted saving or a new price is an alert for this time. */
const singleEventMs = 7 * dayMs

/**
 * Evaluates the rules that read stored figures. Safe to repeat. `again` repeats the newest hour, because history may
 * have arrived after its evaluation.
 */
export async function evaluateAlerts(
  { db, log, now, monitoring }: Deps,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  const at = now()
  await noteEvaluated(db, at)
  await runAll(log, {
    clusters: async () => {
      const clusters = await readAtOnce(db, (tx) => loadClusters(tx, at))
      await runAll(log, {
        figures: () => evaluateClusters(db, clusters, at),
        unowned: () => evaluateUnowned(db, clusters, at),
        incidents: () => evaluateNewHour({ db, log, monitoring }, clusters, { now: at, again }),
      })
    },
    installation: () => db.transaction().execute((tx) => evaluateInstallation(tx, at)),
    repeats: () => db.transaction().execute((tx) => repeatAlerts(tx, at)),
    digest: () => db.transaction().execute((tx) => sendDigest(tx, at)),
  })
}

/** An hour that takes too long is skipped. Repeating it would block other jobs again and again. */
async function evaluateNewHour(
  { db, log, monitoring }: Pick<Deps, 'db' | 'log' | 'monitoring'>,
  clusters: readonly WatchedCluster[],
  { now, again }: { now: Date; again: boolean },
): Promise<void> {
  const hours = clusters.map(({ figures }) => figures)
  if (!again && !(await hasNewHour(db, hours, now))) return
  try {
    await monitoring.evaluateIncidents(now, { again })
  } catch (error) {
    if (!(error instanceof EvaluationTooLong)) throw error
    const hour = await skipHour(db, hours, now)
    log.error({ err: error, hour }, 'cannot evaluate the cost incidents of an hour')
  }
}

/** A rule that fails does not stop the others. The job fails at the end, so that the queue repeats it. */
async function runAll(log: Deps['log'], parts: Readonly<Record<string, () => Promise<void>>>): Promise<void> {
  const errors: unknown[] = []
  for (const [part, run] of Object.entries(parts)) {
    try {
      await run()
    } catch (error) {
      log.error({ err: error, part }, 'cannot evaluate an alert rule')
      errors.push(error)
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, 'not all alert rules were evaluated')
}

async function loadClusters(tx: Db, now: Date): Promise<WatchedCluster[]> {
  const windows = { week: new Date(now.getTime() - 7 * dayMs), day: new Date(now.getTime() - dayMs) }
  const watched: WatchedCluster[] = []
  for (const { cluster_id: clusterId, name } of await listAllClusters(tx, null))
    watched.push({ clusterId, name, figures: await findClusterFigures(tx, clusterId, windows) })
  return watched
}

async function evaluateClusters(db: Db, clusters: readonly WatchedCluster[], now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const idle = (await loadThresholds(tx, 'idle_above')) as Parameters<typeof idleCondition>[1]
    const unpriced = (await loadThresholds(tx, 'unpriced_share')) as Parameters<typeof unpricedCondition>[1]
    const coverage = (await loadThresholds(tx, 'usage_unknown')) as Parameters<typeof coverageCondition>[1]
    const evaluate = (rule: 'idle_above' | 'unpriced_share' | 'usage_unknown', conditions: AlertCondition[]) =>
      evaluateRule(tx, { rule, conditions }, now)
    await evaluate(
      'idle_above',
      clusters.map((each) => idleCondition(each, idle, now)),
    )
    await evaluate(
      'unpriced_share',
      clusters.map((each) => unpricedCondition(each, unpriced, now)),
    )
    await evaluate(
      'usage_unknown',
      clusters.map((each) => coverageCondition(each, coverage, now)),
    )
  })
}

async function evaluateUnowned(db: Db, clusters: readonly WatchedCluster[], now: Date): Promise<void> {
  const { rules } = await loadTeamMapping(db)
  const limits = (await loadThresholds(db, 'namespace_unowned')) as Parameters<typeof unownedCondition>[2]
  const stale = new Set(clusters.filter(({ figures }) => !isFresh(figures, now)).map(({ clusterId }) => clusterId))
  const conditions: AlertCondition[] = []
  for (const cluster of clusters.filter(({ clusterId }) => !stale.has(clusterId))) {
    const { unowned, teams } = await loadOwners(db, cluster, rules, now)
    await recordTeams(db, teams, now)
    conditions.push(...unowned.map((each) => unownedCondition(cluster, each, limits)))
  }
  const isUnknown = ({ clusterId }: { clusterId: string | null }) => clusterId !== null && stale.has(clusterId)
  await db.transaction().execute((tx) => evaluateRule(tx, { rule: 'namespace_unowned', conditions, isUnknown }, now))
}

/** The teams that labels and rules give to the workloads of the last day, and the namespaces without a team. */
async function loadOwners(
  db: Db,
  { clusterId, name, figures }: WatchedCluster,
  rules: TeamRules,
  now: Date,
): Promise<{ unowned: UnownedNamespace[]; teams: string[] }> {
  const { newest, dayHours } = figures
  if (newest === null || dayHours === 0) return { unowned: [], teams: [] }
  const costs = await listNamespaceCosts(db, clusterId, { first: new Date(now.getTime() - dayMs), last: newest })
  const owned = costs.map((each) => ({ ...each, team: teamOf(rules, { cluster: name, ...each }) }))
  const without = owned.filter(({ team }) => team === undefined)
  const unowned = [...groupBy(without, ({ namespace }) => namespace)].map(([namespace, all]) => {
    const usd = all.reduce((sum, each) => sum + each.usd, 0)
    return { namespace, usdPerMonth: (usd / dayHours) * HOURS_PER_MONTH }
  })
  return { unowned, teams: owned.flatMap(({ team }) => (team !== undefined && isTeamName(team) ? team : [])) }
}

async function evaluateInstallation(tx: Db, now: Date): Promise<void> {
  const ago = (days: number) => new Date(now.getTime() - days * dayMs)
  const savings = (await loadThresholds(tx, 'savings_waiting')) as Parameters<typeof savingsCondition>[1]
  const { absent_days: absentDays = 30 } = await loadThresholds(tx, 'key_owner_absent')
  const waiting = await listWaitingSavings(tx, ago(savings.open_days), now)
  const failing = await listFailingChannels(tx)
  const absent = await listAbsentOwners(tx, ago(absentDays), now)
  await evaluateRule(
    tx,
    { rule: 'savings_waiting', conditions: waiting.map((each) => savingsCondition(each, savings)) },
    now,
  )
  await evaluateRule(tx, { rule: 'channel_failing', conditions: failing.map(failingCondition) }, now)
  await evaluateRule(tx, { rule: 'key_owner_absent', conditions: absent.map(absentCondition) }, now)
  const isYoung = ({ period }: { period: string }) => now.getTime() - Date.parse(period) < singleEventMs
  await evaluateRule(tx, { rule: 'saving_reverted', conditions: [], isUnknown: isYoung }, now)
  await evaluateRule(tx, { rule: 'price_changed', conditions: [], isUnknown: isYoung }, now)
}

async function sendDigest(tx: Db, now: Date): Promise<void> {
  const { sends_digest: isOn, digest_at: sentAt } = await lockDelivery(tx)
  if (!isOn || !isDigestDue(sentAt, now)) return
  const figures = await loadDigestFigures(tx, now)
  // A new installation has no cost yet.
  if (!figures) return
  const message = digestMessage(figures, now)
  await queueReport(tx, { message, transition: 'sent' }, now)
  await noteDigest(tx, now)
}
