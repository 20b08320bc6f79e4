import { hourMs } from '@plimsoll/engine'
import { parseBatch, type Batch } from '@plimsoll/contract'
import {
  findBackfill,
  findNextHistoryBatch,
  listMeasuredNodes,
  recordHistoryBatch,
  writeBackfill,
  type HistoryBatch,
} from '../queries/backfills.ts'
import { findClusterPlace } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { findOrigins, writeBackfilledHours } from '../queries/hours.ts'
import { gapWaitMs } from '../queries/fold-queue.ts'
import { clearOpenHour } from '../queries/open-hour.ts'
import { noteClasses } from './note-classes.ts'
import { writeBackfilledNodes } from '../queries/nodes.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { ensureDay, type PartitionedTable } from '../../platform/db/partitions.ts'
import { ensureRates, loadPriceTerms } from '../../prices/index.ts'
import { usageDaysKept, writeBackfilledUsage } from '../queries/usage.ts'
import type { Deps } from '../../platform/deps.ts'
import {
  BackfillFold,
  canBackfill,
  capHour,
  type CappedHour,
  emptyFoldState,
  type FoldState,
  hoursOf,
  rejectionText,
  type StoredHours,
  type BackfilledHour,
} from '@plimsoll/pipeline/fold'
import { loadCheckpoint, saveCheckpoint } from '../checkpoint.ts'
import { classifyNode } from '@plimsoll/pipeline/prices'
import type { Attribute } from './attribute.ts'
import { inflate } from './inflate.ts'
import { lockOrTryLater } from './lock-fold.ts'
import { classesOf, dateOf, ratedHour, recordFinalisedHours, sumUpDaysLater } from './write-finalised-hours.ts'

type FoldDeps = Pick<Deps, 'db' | 'log' | 'now' | 'prices'>

type BackfillContext = { deps: FoldDeps; clusterId: string; attribute: Attribute }

/**
 * Folds the next backfill batch, if any: its hours, the checkpoint of its epoch and the batch change in one
 * transaction. One at a time, so that live data never waits for history.
 */
export async function foldBackfill(context: BackfillContext): Promise<boolean> {
  const { deps, clusterId, attribute } = context
  return deps.db.transaction().execute(async (tx) => {
    if (!(await lockOrTryLater(tx, clusterId))) return false
    const batch = await findNextHistoryBatch(tx, clusterId, new Date(deps.now().getTime() - gapWaitMs))
    if (!batch) return false
    const read = await readBody(batch, attribute)
    if (read.kind === 'unreadable')
      await recordHistoryBatch(tx, clusterId, batch, { state: 'quarantined', ...read, records: 0 })
    else await foldHistoryBatch(context, tx, batch, read.batch)
    return true
  })
}

async function readBody({ batchId, body }: HistoryBatch, attribute: Attribute) {
  if (body === null) return { kind: 'unreadable' as const, reason: 'the body is no longer stored' }
  const bytes = await inflate(body).catch(() => undefined)
  if (!bytes) return { kind: 'unreadable' as const, reason: 'the gzip body is incomplete' }
  return attribute(batchId, () => parseBatch(bytes.toString()))
}

async function foldHistoryBatch(
  { deps, clusterId, attribute }: BackfillContext,
  tx: Db,
  next: HistoryBatch,
  batch: Batch,
): Promise<void> {
  const receivedAt = next.receivedAt.getTime() / 1000
  const hours = hoursOf(batch).filter((hour) => canBackfill(hour, receivedAt))
  // Outside this transaction, because others may need the same days at once.
  for (const hour of youngestOfDays(hours)) await ensurePartitions(deps, dateOf(hour))
  const state = await openState(deps, tx, clusterId, next.epoch)
  const stored = await loadStored(tx, clusterId, hours)
  const folding = new BackfillFold(state, stored, receivedAt)
  const added = attribute(next.batchId, () => tryToAdd(deps, folding, next, batch))
  if (typeof added === 'string') {
    return recordHistoryBatch(tx, clusterId, next, { state: 'quarantined', records: 0, reason: added })
  }
  await writeBackfilled(deps, tx, clusterId, added.hours)
  await writeBackfilledNodes(tx, clusterId, folding.changedNodes(), state.watermark)
  folding.forget()
  await writeBackfill(tx, { clusterId, epoch: next.epoch, state: saveCheckpoint(state), now: deps.now() })
  const { rejectedRecords: records, rejections } = added
  await recordHistoryBatch(tx, clusterId, next, { state: 'folded', records, reason: rejectionText(rejections) })
}

/** A readable batch that cannot be folded is a bug, and must not block later batches. */
function tryToAdd(deps: FoldDeps, folding: BackfillFold, { batchId, epoch }: HistoryBatch, batch: Batch) {
  try {
    const added = folding.addBatch(epoch, batch)
    return { ...added, hours: folding.backfilledHours().map((hour) => capHour(hour)) }
  } catch (error) {
    deps.log.error({ err: error, batchId }, 'cannot process a backfill batch')
    return `processing failed: ${error instanceof Error ? error.message : 'unknown reason'}`
  }
}

async function openState(deps: FoldDeps, tx: Db, clusterId: string, epoch: string): Promise<FoldState> {
  const place = await findClusterPlace(tx, clusterId)
  const book = await deps.prices.current(tx)
  const classify = (node: Parameters<typeof classifyNode>[2]) => classifyNode(book, place, node)
  const saved = await findBackfill(tx, clusterId, epoch)
  return saved ? loadCheckpoint(saved, classify, place) : emptyFoldState(classify, place)
}

async function loadStored(tx: Db, clusterId: string, hours: readonly number[]): Promise<StoredHours> {
  const dates = hours.map(dateOf)
  const origins = await findOrigins(tx, clusterId, dates)
  const measured = await listMeasuredNodes(tx, clusterId, dates)
  return {
    hasLiveData: (hour) => origins.get(hour) === 'live',
    measuredNodes: (hour) => measured.get(hour) ?? noNodes,
  }
}

const noNodes: ReadonlySet<string> = new Set()

async function writeBackfilled(
  deps: FoldDeps,
  tx: Db,
  clusterId: string,
  hours: readonly (BackfilledHour & CappedHour)[],
): Promise<void> {
  if (hours.length === 0) return
  const terms = await loadPriceTerms(tx, clusterId)
  const ratesAt = await ensureRates(deps, terms, hours.flatMap(classesOf))
  const whole = hours.filter(({ isUsageOnly }) => !isUsageOnly).map((hour) => ratedHour(hour, ratesAt))
  if (whole.length > 0) {
    await clearOpenHour(tx, clusterId)
    const written = await writeBackfilledHours(tx, clusterId, whole, deps.now())
    await recordFinalisedHours(tx, clusterId, written, deps.now())
    await noteClasses(tx, clusterId, whole)
  }
  const usage = hours.map(({ hour, containers }) => ({ hour: dateOf(hour), containers }))
  await writeBackfilledUsage(tx, { clusterId, now: deps.now() }, usage)
  await sumUpDaysLater(tx, clusterId)
  // History comes in many batches, and one analysis for all of them is enough.
  await enqueue(tx, 'analyse', { clusterId }, { delaySeconds: analysisDelaySeconds })
}

const analysisDelaySeconds = 30

/** Days beyond the retention get no partition, and nothing is written to them. */
async function ensurePartitions(deps: FoldDeps, hour: Date): Promise<void> {
  const tables: PartitionedTable[] = ['workload_hour', 'node_hour', 'asset_hour', 'usage_histogram']
  const age = deps.now().getTime() - hour.getTime()
  for (const table of ['usage_hour', 'pod_hour'] as const) {
    if (age <= usageDaysKept[table] * 24 * hourMs) tables.push(table)
  }
  for (const table of tables) await ensureDay(deps.db, table, hour)
}

function youngestOfDays(hours: readonly number[]): number[] {
  const days = new Map(hours.toSorted((a, b) => a - b).map((hour) => [Math.floor(hour / 24), hour]))
  return [...days.values()]
}
