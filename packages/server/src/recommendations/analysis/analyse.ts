import { targetKey } from '@plimsoll/engine/rules'
import {
  type Analysis,
  judgeability,
  openAfter,
  openKey,
  policiesOf,
  proposingOf,
  type Reconciled,
} from '@plimsoll/pipeline/advice'
import { analyse as analyseSnapshot } from '@plimsoll/pipeline'
import { loadHistory } from './load-history.ts'
import { storedUsage } from './stored-usage.ts'
import { loadPricing, loadSnapshot } from './load-snapshot.ts'
import { noteAdviceChange } from '../queries/advice-revision.ts'
import { findHistoryReceivedAt } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { findCluster, lockLiveCluster } from '../../clusters/index.ts'
import { listAwaiting, listOpen, listStanding, lockAnalysis } from '../queries/findings.ts'
import { endPlan, loadPreviousPlan, writePlan } from '../queries/plans.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { loadClassRates } from '../../prices/index.ts'
import { writeNodeVerdicts } from '../queries/node-verdicts.ts'
import { listPolicies, loadTeamMapping, teamOf } from '../../settings/index.ts'
import { listOpenWorkloads, writeWorkloadShapes } from '../queries/workload-shapes.ts'
import type { Deps } from '../../platform/deps.ts'
import { type FindLiveShape, liveShapes, stuckPods } from '@plimsoll/pipeline/facts'
import { loadStanding, storeFindings } from '../store-findings.ts'
import { withTrials } from '../tried-before.ts'
import { listRegressed } from '../queries/verifications.ts'
import { creditedSince, verifyApplied } from '../verify-applied.ts'

export type AnalysisDeps = Pick<Deps, 'db' | 'log' | 'now' | 'prices'>

/**
 * Idempotent. Ids, decisions of users and history survive. The input is read under the lock of the writes: a later
 * analysis has never read older data.
 */
export async function analyse(deps: AnalysisDeps, { clusterId }: { clusterId: string }): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await lockAnalysis(tx, clusterId)
    const look = await lookAtCluster(deps, tx, clusterId)
    // Not before: the deletion of the cluster must not wait for the analysis.
    if (!look || !(await lockLiveCluster(tx, clusterId))) return
    const { found, liveShape } = look
    const result = await store(deps, tx, clusterId, found)
    const hasFailed = await verify(deps, tx, clusterId, found)
    const workloads = await listOpenWorkloads(tx, clusterId)
    const shapes = workloads.map((workload) => ({ ...workload, shape: liveShape(workload) }))
    await writeWorkloadShapes(tx, clusterId, shapes)
    // After all other writes: a concurrent decision holds rows that we may need, and waits here for us.
    await noteAdviceChange(tx, [clusterId])
    // A reverted change affects the text and the shares of other findings, so another analysis is queued: decisions
    // about this cluster wait for this one. Queued last, because concurrent queueing waits for us.
    if (hasFailed) await enqueue(tx, 'analyse', { clusterId })
    const counts = { found: result.insert.length, closed: result.close.length, withheld: found.withheld.length }
    deps.log.info({ clusterId, ...counts }, 'cluster analyzed')
  })
}

async function store({ now }: AnalysisDeps, tx: Db, clusterId: string, found: Analysis): Promise<Reconciled> {
  await writeNodeVerdicts(tx, clusterId, found.nodes)
  const result = await storeFindings(tx, clusterId, await withTrials(tx, clusterId, found, now()), now())
  // After the findings: the members of a step are rows.
  if (found.plan) await writePlan(tx, clusterId, found.plan, now())
  else await endPlan(tx, clusterId, now())
  return result
}

/** Returns whether an applied change did not last. */
function verify({ now }: AnalysisDeps, tx: Db, clusterId: string, found: Analysis): Promise<boolean> {
  const foundKeys = new Set(found.findings.map(({ ruleId, target }) => openKey(ruleId, targetKey(target))))
  const seen = {
    observe: found.observe,
    isFound: (key: string) => foundKeys.has(key),
    isUnjudged: judgeability(found.withheld),
  }
  // The state after the snapshot is unknown, so nothing is credited for that time yet.
  const seenAt = new Date(Math.min(found.observedAt.getTime(), now().getTime()))
  return verifyApplied(tx, clusterId, seen, seenAt)
}

type ClusterLook = { liveShape: FindLiveShape; found: Analysis }

/** Undefined before the first report. */
async function lookAtCluster(deps: AnalysisDeps, tx: Db, clusterId: string): Promise<ClusterLook | undefined> {
  // First: history received meanwhile is then known to be missing here.
  const historyReceivedAt = await findHistoryReceivedAt(tx, clusterId)
  const cluster = await findCluster(tx, clusterId)
  const snapshot = await loadSnapshot(deps, tx, clusterId)
  if (!cluster || !snapshot) return undefined
  const stuck = stuckPods(snapshot)
  const { analysis, packed } = await analyseSnapshot({
    snapshot,
    around: {
      costUsdPerMonth: Number(cluster.monthly_cost) > 0 ? Number(cluster.monthly_cost) : null,
      rates: await loadClassRates(tx, clusterId),
      pricing: await loadPricing(deps, tx, clusterId),
      history: await loadHistory(tx, clusterId, snapshot, deps.now()),
      policies: policiesOf(await listPolicies(tx, clusterId)),
    },
    usage: storedUsage(tx, clusterId),
    standingSizes: await listStanding(tx, clusterId),
    regressed: await listRegressed(tx, clusterId, creditedSince(deps.now())),
    loadOpen: async () => {
      const rows = await listOpen(tx, clusterId)
      const standing = await loadStanding(tx, clusterId, rows, deps.now())
      return (found) => openAfter(found, standing, rows, stuck)
    },
    loadApplied: async () => (await listAwaiting(tx, clusterId)).map((row) => proposingOf(row, stuck)),
    planning: {
      ...(await loadPreviousPlan(tx, clusterId)),
      newStepId: () => newId('stp', deps.now()),
      teamOf: await loadTeamOf(tx, cluster.name),
    },
  })
  return { liveShape: liveShapes(snapshot, packed?.capacityOf), found: { ...analysis, historyReceivedAt } }
}

/** A namespace without a team mapping counts as a team. */
async function loadTeamOf(tx: Db, cluster: string): Promise<(namespace: string) => string> {
  const { rules } = await loadTeamMapping(tx)
  return (namespace) => teamOf(rules, { cluster, namespace, labels: {} }) ?? namespace
}
