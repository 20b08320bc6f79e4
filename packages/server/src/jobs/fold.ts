import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { parseBatch } from '@plimsoll/contract'
import type { Db } from '../db/database.ts'
import {
  findCheckpoint,
  listFoldable,
  markFolded,
  quarantine,
  tryLockFold,
  writeCheckpoint,
  type PendingBatch,
} from '../db/fold-queue.ts'
import { clusterConditions } from '../cluster-conditions.ts'
import {
  countNodePrices,
  countQuarantined,
  findClusterPlace,
  findConditions,
  writeClusterFigures,
  writeConditions,
} from '../db/cluster-figures.ts'
import { writeHour, type RateIds } from '../db/hours.ts'
import { lockLiveCluster } from '../db/ingest.ts'
import { enqueue } from '../db/job-queue.ts'
import { writeNodes } from '../db/nodes.ts'
import { ensureDay } from '../db/partitions.ts'
import { ensureRates } from '../db/rates.ts'
import { startOfDay } from '../db/rollups.ts'
import { fulfilSync } from '../db/sync-jobs.ts'
import type { Deps } from '../deps.ts'
import { loadCheckpoint, saveCheckpoint } from '../fold/checkpoint.ts'
import { emptyFoldState, type FoldState } from '../fold/fold-state.ts'
import { Fold, type FoldedHour } from '../fold/fold.ts'
import { liveFigures, type LiveFigures } from '../fold/live-figures.ts'
import { classRates } from '../prices/class-rates.ts'
import { classifyNode, parseClassKey } from '../prices/node-class.ts'

const batchesAtOnce = 120
const holeWaitMs = 15 * 60_000
/** Late minutes come in bunches: each of them puts the sums of its day off again. */
const daySumsWaitSeconds = 120

const inflate = promisify(gunzip)
const deflate = promisify(gzip)

/**
 * Folds what a cluster's agent has sent since the last time, and writes the hours that are over. Batches, hours and
 * checkpoint change in one transaction: a crash at any point repeats nothing and loses nothing.
 */
export async function fold(deps: Deps, { clusterId }: { clusterId: string }): Promise<void> {
  let more = true
  while (more) more = await deps.db.transaction().execute((tx) => foldSome(deps, tx, clusterId))
}

async function foldSome(deps: Deps, tx: Db, clusterId: string): Promise<boolean> {
  if (!(await tryLockFold(tx, clusterId)) || !(await lockLiveCluster(tx, clusterId))) return false
  const waitedSince = new Date(deps.now().getTime() - holeWaitMs)
  const batches = await listFoldable(tx, clusterId, { waitedSince, limit: batchesAtOnce })
  const { state, version } = await openState(deps, tx, clusterId)
  const folding = new Fold(state)
  let snapshotReceivedAt: Date | undefined
  for (const batch of batches) {
    const before = folding.snapshots
    await foldOne(tx, clusterId, folding, batch)
    if (folding.snapshots > before) snapshotReceivedAt = batch.receivedAt
  }

  const hours = folding.takeEndedHours(deps.now().getTime() / 1000)
  if (batches.length === 0 && hours.length === 0) return false
  await writeHours(deps, tx, clusterId, hours)
  const figures = liveFigures(state)
  const rates = await ensureRates(deps.db, [...figures.nodesByClass.keys()], (key) =>
    classRates(deps.prices, parseClassKey(key)),
  )
  await writeClusterFigures(tx, clusterId, figures, rates)
  await noteConditions(deps, tx, clusterId, figures, rates)
  await writeNodes(tx, clusterId, folding.changedNodes())
  if (snapshotReceivedAt) await fulfilSync(tx, clusterId, snapshotReceivedAt, deps.now())
  const saved = await deflate(saveCheckpoint(state), { level: 1 })
  await writeCheckpoint(tx, clusterId, { version: version + 1, state: saved, now: deps.now() })
  return batches.length === batchesAtOnce
}

async function noteConditions(
  deps: Deps,
  tx: Db,
  clusterId: string,
  figures: LiveFigures,
  rates: RateIds,
): Promise<void> {
  const since = new Date(deps.now().getTime() - 24 * 3_600_000)
  const facts = {
    agent: figures.agent,
    quarantined: await countQuarantined(tx, clusterId, since),
    nodes: await countNodePrices(tx, figures, rates),
  }
  const before = await findConditions(tx, clusterId)
  await writeConditions(tx, clusterId, clusterConditions(facts, before, deps.now()))
}

async function openState(deps: Deps, tx: Db, clusterId: string): Promise<{ state: FoldState; version: number }> {
  const place = await findClusterPlace(tx, clusterId)
  const classify = (node: Parameters<typeof classifyNode>[2]) => classifyNode(deps.prices, place, node)
  const checkpoint = await findCheckpoint(tx, clusterId)
  if (!checkpoint) return { state: emptyFoldState(classify), version: 0 }
  const text = (await inflate(checkpoint.state)).toString()
  return { state: loadCheckpoint(text, classify), version: checkpoint.version }
}

async function foldOne(tx: Db, clusterId: string, folding: Fold, batch: PendingBatch): Promise<void> {
  if (batch.body === null) return quarantine(tx, clusterId, batch, 'its body is no longer kept')
  const parsed = parseBatch((await inflate(batch.body)).toString())
  if (parsed.kind === 'unreadable') return quarantine(tx, clusterId, batch, parsed.reason)
  const { rejectedRecords, rejections } = folding.addBatch(batch.epoch, parsed.batch)
  const reason = rejections.map((each) => `${each.table} ${each.index}: ${each.reason}`).join('; ')
  return markFolded(tx, clusterId, batch, {
    records: rejectedRecords,
    reason: reason === '' ? null : reason.slice(0, 1000),
  })
}

/** Room for the days and rates for the classes are made outside the transaction: other clusters need them too. */
async function writeHours(deps: Deps, tx: Db, clusterId: string, hours: FoldedHour[]): Promise<void> {
  const classKeys = new Set(
    hours.flatMap(({ measured, bridged }) => [...measured.nodes, ...bridged.nodes].map(({ classKey }) => classKey)),
  )
  const rateIds = await ensureRates(deps.db, [...classKeys], (key) => classRates(deps.prices, parseClassKey(key)))
  for (const { hour } of hours) {
    const at = new Date(hour * 3_600_000)
    await ensureDay(deps.db, 'workload_hour', at)
    await ensureDay(deps.db, 'node_hour', at)
  }
  for (const hour of hours) await writeHour(tx, clusterId, hour, rateIds, deps.now())
  const today = startOfDay(deps.now()).getTime()
  if (hours.some(({ hour }) => hour * 3_600_000 < today)) {
    await enqueue(
      tx,
      'sum-up-days',
      { clusterId },
      { key: `sum-up-days ${clusterId}`, delaySeconds: daySumsWaitSeconds },
    )
  }
}
