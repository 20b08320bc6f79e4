import {
  continueRepricing,
  endRepricing,
  ensureRates,
  findPriceChange,
  listCloudResourceClasses,
  listNodeClasses,
  listRepricing,
  listStoredRates,
  loadPriceTerms,
  lockRepricing,
  type RatesAt,
  type StoredHourRate,
  updateCloudResourceClassRates,
  updateNodeClassRates,
} from '../../prices/index.ts'
import { evaluateRule, loadThresholds } from '../../alerts/index.ts'
import { findCluster, lockLiveCluster, writeRunRate } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { tryLockFold } from '../queries/fold-queue.ts'
import { moveRates } from '../queries/hours.ts'
import type { RateMove } from '../queries/rated-rows.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { foldLater } from '../fold-later.ts'
import { priceCondition } from '../price-condition.ts'
import type { Deps } from '../../platform/deps.ts'
import { recordEvents } from '../../platform/events.ts'
import { nextHour, startOfHour } from '@plimsoll/pipeline/prices'

/** A step moves about this many rows, so that the lock of the cluster is held briefly. */
const rowsAtOnce = 100_000
const hoursAtOnceMax = 7 * 24

/** After this time the rest is queued again, so that other jobs can run. */
const runMsMax = 30_000

/**
 * Reprices stored hours. Idempotent: hours with current prices stay as they are. A cluster that is being folded, or
 * fails, keeps its marker and is retried later.
 */
export async function reprice(deps: Deps): Promise<void> {
  const end = deps.now().getTime() + runMsMax
  for (const clusterId of await listRepricing(deps.db)) {
    try {
      let more = true
      while (more && deps.now().getTime() < end)
        more = await deps.db.transaction().execute((tx) => repriceSome(deps, tx, clusterId))
    } catch (error) {
      deps.log.error({ err: error, clusterId }, 'cannot reprice stored hours')
    }
    if (deps.now().getTime() >= end) return queueFoldAndReprice(deps, clusterId)
  }
}

async function queueFoldAndReprice({ db }: Deps, clusterId: string): Promise<void> {
  await foldLater(db, clusterId)
  await enqueue(db, 'reprice', {})
}

/** Prices are read under the locks. A later price leaves a new marker, and a later fold uses it. */
async function repriceSome(deps: Deps, tx: Db, clusterId: string): Promise<boolean> {
  if (!(await tryLockFold(tx, clusterId))) return false
  const from = await lockRepricing(tx, clusterId)
  if (from === undefined) return false
  const cluster = (await lockLiveCluster(tx, clusterId)) && (await findCluster(tx, clusterId))
  if (!cluster) return endOf(tx, clusterId)
  const hours = Math.max(1, Math.min(hoursAtOnceMax, Math.floor(rowsAtOnce / Math.max(1, cluster.pod_count))))
  const stored = await listStoredRates(tx, clusterId, { from, hours })
  const last = stored.at(-1)
  if (!last) return finish(deps, tx, clusterId)

  const ratesAt = await ensureRates(deps, await loadPriceTerms(tx, clusterId), stored)
  const moves = stored.flatMap((each) => moveOf(each, ratesAt))
  if (moves.length > 0) {
    await moveRates(tx, clusterId, moves, deps.now())
    await recordRepricedHours(tx, clusterId, moves, deps.now())
  }
  await continueRepricing(tx, clusterId, nextHour(last.hour))
  return true
}

/** One event for all hours of a step: a new price of a large cluster changes hundreds of hours. */
async function recordRepricedHours(tx: Db, clusterId: string, moves: readonly RateMove[], now: Date): Promise<void> {
  const hours = [...new Set(moves.map(({ hour }) => hour.toISOString()))].toSorted()
  const subject = { type: 'hour', id: hours[0] ?? '' }
  const data = { through: hours.at(-1), hours: hours.length }
  await recordEvents(tx, [{ kind: 'hour.repriced', at: now, clusterId, subject, data }])
}

function moveOf({ hour, rateId, classKey }: StoredHourRate, ratesAt: RatesAt): RateMove[] {
  const wanted = ratesAt(hour).get(classKey)
  return wanted === undefined || wanted === rateId ? [] : [{ hour, from: rateId, to: wanted }]
}

/** Updates the current cost of a cluster and its days; new batches have waited for the lock. */
async function finish(deps: Deps, tx: Db, clusterId: string): Promise<boolean> {
  const hour = startOfHour(deps.now())
  const classes = await listNodeClasses(tx, clusterId, new Date(0))
  const cloudResources = await listCloudResourceClasses(tx, clusterId, new Date(0))
  const wanted = [...classes, ...cloudResources].map(({ classKey }) => ({ hour, classKey }))
  const ratesAt = await ensureRates(deps, await loadPriceTerms(tx, clusterId), wanted)
  await updateNodeClassRates(tx, clusterId, ratesAt(hour))
  await updateCloudResourceClassRates(tx, clusterId, ratesAt(hour))
  await writeRunRate(tx, clusterId)
  await alertOfPrices(deps, tx, clusterId)
  await foldLater(tx, clusterId)
  await enqueue(tx, 'sum-up-days', { clusterId })
  deps.log.info({ clusterId }, 'stored hours repriced')
  return endOf(tx, clusterId)
}

/** Earlier alerts stay open for a week. */
async function alertOfPrices({ now }: Deps, tx: Db, clusterId: string): Promise<void> {
  const { changed_percent: percentMax = 1 } = await loadThresholds(tx, 'price_changed')
  const change = await findPriceChange(tx, clusterId)
  const name = (await findCluster(tx, clusterId))?.name ?? clusterId
  const condition = priceCondition({ clusterId, name, change, percentMax, now: now() })
  if (!condition) return
  await evaluateRule(tx, { rule: 'price_changed', conditions: [condition], isUnknown: () => true }, now())
}

async function endOf(tx: Db, clusterId: string): Promise<boolean> {
  await endRepricing(tx, clusterId)
  return false
}
