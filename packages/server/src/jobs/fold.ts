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
  countOtherWorkloads,
  countQuarantined,
  findClusterPlace,
  findConditions,
  findIdentity,
  writeClusterFigures,
  writeConditions,
} from '../db/cluster-figures.ts'
import { writeHour, type RateIds } from '../db/hours.ts'
import { lockLiveCluster } from '../db/ingest.ts'
import { enqueue } from '../db/job-queue.ts'
import { writeNodes } from '../db/nodes.ts'
import { writeAssets } from '../db/assets.ts'
import { ensureDay } from '../db/partitions.ts'
import { noteAssetClasses } from '../db/asset-classes.ts'
import { noteNodeClasses } from '../db/node-classes.ts'
import { loadPriceTerms } from '../db/price-overrides.ts'
import { startOfDay } from '../db/rollups.ts'
import { fulfilSync } from '../db/sync-jobs.ts'
import type { Deps } from '../deps.ts'
import { loadCheckpoint, saveCheckpoint } from '../fold/checkpoint.ts'
import { emptyFoldState, type FoldState } from '../fold/fold-state.ts'
import { Fold, type FoldedHour } from '../fold/fold.ts'
import { capHour } from '../fold/cap-hour.ts'
import { liveFigures, type LiveFigures } from '../fold/live-figures.ts'
import { parseAssetKey } from '../prices/asset-class.ts'
import { ensureRates } from '../prices/ensure-rates.ts'
import { startOfHour } from '../prices/hours.ts'
import { classifyNode } from '../prices/node-class.ts'
import type { PriceTerms } from '../prices/price-terms.ts'

const batchesAtOnce = 120
const holeWaitMs = 15 * 60_000
const aheadMsMax = 10 * 60_000
const lateMsMax = 7 * 24 * 3_600_000
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
    await foldOne(tx, clusterId, folding, batch, deps.now())
    if (folding.snapshots > before) snapshotReceivedAt = batch.receivedAt
  }

  const hours = folding.takeEndedHours(deps.now().getTime() / 1000)
  if (batches.length === 0 && hours.length === 0) return false
  const terms = await loadPriceTerms(tx, clusterId)
  await writeHours(
    deps,
    tx,
    clusterId,
    hours.map((hour) => capHour(hour)),
    terms,
  )
  const figures = liveFigures(state)
  const hour = startOfHour(deps.now())
  const wanted = [...figures.nodesByClass.keys(), ...figures.assetsByClass.keys()].map((classKey) => ({
    hour,
    classKey,
  }))
  const ratesAt = await ensureRates(deps, terms, wanted)
  await writeClusterFigures(tx, clusterId, figures, ratesAt(hour))
  await noteConditions(deps, tx, clusterId, figures.agent)
  await writeNodes(tx, clusterId, folding.changedNodes())
  if (hours.length > 0) await writeAssets(tx, clusterId, state.assets)
  if (snapshotReceivedAt) await fulfilSync(tx, clusterId, snapshotReceivedAt, deps.now())
  const saved = await deflate(saveCheckpoint(state), { level: 1 })
  await writeCheckpoint(tx, clusterId, { version: version + 1, state: saved, now: deps.now() })
  return batches.length === batchesAtOnce
}

async function noteConditions(deps: Deps, tx: Db, clusterId: string, agent: LiveFigures['agent']): Promise<void> {
  const since = new Date(deps.now().getTime() - 24 * 3_600_000)
  const facts = {
    agent,
    quarantined: await countQuarantined(tx, clusterId, since),
    nodes: await countNodePrices(tx, clusterId),
    identity: await findIdentity(tx, clusterId),
    otherWorkloads: await countOtherWorkloads(tx, clusterId, since),
  }
  const before = await findConditions(tx, clusterId)
  await writeConditions(tx, clusterId, clusterConditions(facts, before, deps.now()))
}

async function openState(deps: Deps, tx: Db, clusterId: string): Promise<{ state: FoldState; version: number }> {
  const place = await findClusterPlace(tx, clusterId)
  const book = await deps.prices.current(tx)
  const classify = (node: Parameters<typeof classifyNode>[2]) => classifyNode(book, place, node)
  const checkpoint = await findCheckpoint(tx, clusterId)
  if (!checkpoint) return { state: emptyFoldState(classify, place), version: 0 }
  const text = (await inflate(checkpoint.state)).toString()
  return { state: loadCheckpoint(text, classify, place), version: checkpoint.version }
}

/** One batch of a wrong clock would make all that follow it look too old, or reopen what is long over. */
function strangeTime(observedAt: number, receivedAt: Date, now: Date): string | undefined {
  const latest = Math.max(receivedAt.getTime(), now.getTime())
  if (observedAt > latest + aheadMsMax) return 'it was observed in the future'
  return observedAt < receivedAt.getTime() - lateMsMax ? 'it was observed more than 7 days before it came' : undefined
}

async function foldOne(tx: Db, clusterId: string, folding: Fold, batch: PendingBatch, now: Date): Promise<void> {
  if (batch.body === null) return quarantine(tx, clusterId, batch, 'its body is no longer kept')
  const parsed = parseBatch((await inflate(batch.body)).toString())
  if (parsed.kind === 'unreadable') return quarantine(tx, clusterId, batch, parsed.reason)
  const strange = strangeTime(parsed.batch.observed_at * 1000, batch.receivedAt, now)
  if (strange !== undefined) return quarantine(tx, clusterId, batch, strange)
  const { rejectedRecords, rejections } = folding.addBatch(batch.epoch, parsed.batch)
  const reason = rejections.map((each) => `${each.table} ${each.index}: ${each.reason}`).join('; ')
  return markFolded(tx, clusterId, batch, {
    records: rejectedRecords,
    reason: reason === '' ? null : reason.slice(0, 1000),
  })
}

/** Room for the days and rates for the classes are made outside the transaction: other clusters need them too. */
async function writeHours(
  deps: Deps,
  tx: Db,
  clusterId: string,
  hours: FoldedHour[],
  terms: PriceTerms,
): Promise<void> {
  const ratesAt = await ensureRates(deps, terms, hours.flatMap(classesOf))
  for (const { hour } of hours) {
    await ensureDay(deps.db, 'workload_hour', dateOf(hour))
    await ensureDay(deps.db, 'node_hour', dateOf(hour))
    await ensureDay(deps.db, 'asset_hour', dateOf(hour))
  }
  for (const hour of hours) {
    const rateIds = ratesAt(dateOf(hour.hour))
    await writeHour(tx, clusterId, hour, rateIds, deps.now())
    await noteClasses(tx, clusterId, rateIds, dateOf(hour.hour))
  }
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

function classesOf({ hour, measured, bridged, assets }: FoldedHour): { hour: Date; classKey: string }[] {
  const classKeys = new Set([...measured.nodes, ...bridged.nodes, ...assets].map(({ classKey }) => classKey))
  return [...classKeys].map((classKey) => ({ hour: dateOf(hour), classKey }))
}

/** Of both kinds, each in its own table. */
async function noteClasses(tx: Db, clusterId: string, rateIds: RateIds, hour: Date): Promise<void> {
  const isAsset = ([classKey]: [string, string]) => parseAssetKey(classKey) !== undefined
  const all = [...rateIds]
  await noteNodeClasses(tx, clusterId, new Map(all.filter((each) => !isAsset(each))), hour)
  await noteAssetClasses(tx, clusterId, new Map(all.filter(isAsset)), hour)
}

const dateOf = (hour: number) => new Date(hour * 3_600_000)
