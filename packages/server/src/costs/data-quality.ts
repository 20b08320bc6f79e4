import type { DataQuality } from '@plimsoll/contract'
import { RESOURCES, roundToNumber } from '@plimsoll/engine'
import { idleBreakdown } from '@plimsoll/engine/idle'
import { usdFor } from '@plimsoll/engine/pricing'
import { isCollecting } from '../clusters/index.ts'
import { loadCover } from '../ingest/index.ts'
import {
  countBatches,
  findFirstHour,
  listFaultyBatches,
  listWrittenHours,
  type FaultyBatch,
  type WrittenHour,
} from './queries/data-quality.ts'
import type { Db } from '../platform/db/database.ts'
import { sumCluster, sumNamespaces, type ClusterTotals } from './queries/quantities.ts'
import {
  loadCloudResourceFigures,
  presentCloudResourceCost,
  presentCloudResourceUnpriced,
  type CloudResourceFigure,
  type CloudResourceFigures,
} from './cloud-resources.ts'
import { dataStatus } from './data-status.ts'
import { findGaps } from './find-gaps.ts'
import { loadRatesOf, presentCoverage, presentUnpriced } from './idle-costs.ts'
import { hoursIn, presentWindow, type HourWindow } from './parse-window.ts'
import { namespaceQuantities, nodeQuantities, type RatesOf } from './quantities.ts'

const gapsShownMax = 100
const batchesShownMax = 20

export async function loadDataQuality(tx: Db, clusterId: string, window: HourWindow, now: Date): Promise<DataQuality> {
  const cover = await loadCover(tx, clusterId, window)
  const cluster = await sumCluster(tx, cover)
  const namespaces = await sumNamespaces(tx, cover)
  const ratesOf = await loadRatesOf(tx, [...cluster, ...namespaces])
  const asOneNode = cluster.map((row) => ({ ...row, node_uid: clusterId }))
  const breakdown = idleBreakdown(nodeQuantities(asOneNode, ratesOf), namespaceQuantities(namespaces, ratesOf))
  const written = await listWrittenHours(tx, clusterId, window)
  const { rejectedRecords, ...counts } = await countBatches(tx, clusterId, window)
  const faulty = async (isQuarantined: boolean) =>
    (await listFaultyBatches(tx, clusterId, window, { isQuarantined, limit: batchesShownMax })).map(presentBatch)
  const expected = hoursIn(window)
  return {
    cluster_id: clusterId,
    window: presentWindow(window),
    as_of: cover.asOf?.toISOString() ?? null,
    data_status: dataStatus(
      { hours: expected, hoursWithData: cover.hoursWithData },
      { isCollecting: await isCollecting(tx, clusterId) },
    ),
    currency: 'USD',
    hours: {
      expected,
      with_data: cover.hoursWithData,
      revised: written.filter(({ revision }) => revision > 1).length,
    },
    gaps: await loadGaps(tx, clusterId, { window, written, now }),
    usage_coverage: presentCoverage(breakdown),
    bridged: bridged(cluster),
    unpriced: presentUnpriced(breakdown),
    estimated: estimated(cluster, ratesOf, breakdown.total),
    assets: presentCloudResources(await loadCloudResourceFigures(tx, cover)),
    batches: { ...counts, rejected_records: rejectedRecords },
    quarantined: await faulty(true),
    rejected: await faulty(false),
  }
}

/** The future and the time before the first data are not gaps. */
async function loadGaps(
  tx: Db,
  clusterId: string,
  { window: { from, to }, written, now }: { window: HourWindow; written: readonly WrittenHour[]; now: Date },
): Promise<DataQuality['gaps']> {
  const first = await findFirstHour(tx, clusterId)
  if (!first) return []
  const lastFull = Math.floor(now.getTime() / 3_600_000) * 3_600_000
  const span = {
    from: new Date(Math.max(from.getTime(), first.getTime())),
    to: new Date(Math.min(to.getTime(), lastFull)),
  }
  const gaps = findGaps(
    written.map(({ hour }) => hour),
    span,
  )
  return gaps
    .slice(0, gapsShownMax)
    .map((gap) => ({ from: gap.from.toISOString(), to: gap.to.toISOString(), hours: gap.hours }))
}

function bridged(cluster: readonly ClusterTotals[]): DataQuality['bridged'] {
  const all = cluster.reduce((sum, row) => sum + BigInt(row.seconds), 0n)
  const some = cluster.reduce((sum, row) => sum + BigInt(row.bridged_seconds), 0n)
  return { node_seconds: some.toString(), fraction: all === 0n ? null : Number(some) / Number(all) }
}

function estimated(cluster: readonly ClusterTotals[], ratesOf: RatesOf, total: bigint): DataQuality['estimated'] {
  const usd = cluster
    .flatMap((row) => RESOURCES.map((resource) => ({ row, resource, rate: ratesOf(row.rate_id)[resource] })))
    .filter(({ rate }) => rate.kind === 'priced' && rate.estimated)
    .reduce((sum, { row, resource, rate }) => sum + usdFor(BigInt(row[`${resource}_capacity`]), rate), 0n)
  return { cost: roundToNumber(usd), fraction: total === 0n ? null : Number(usd) / Number(total) }
}

const presentCloudResources = ({ byKind }: CloudResourceFigures): DataQuality['assets'] => ({
  volumes: presentCloudResource(byKind.volume),
  balancers: presentCloudResource(byKind.balancer),
  control_plane: presentCloudResource(byKind.control_plane),
})

const presentCloudResource = (figure: CloudResourceFigure) => ({
  cost: presentCloudResourceCost(figure),
  estimated_cost: roundToNumber(figure.estimatedUsd),
  unpriced: presentCloudResourceUnpriced(figure),
})

const presentBatch = ({ batchId, receivedAt, rejectedRecords, reason }: FaultyBatch) => ({
  batch_id: batchId,
  received_at: receivedAt.toISOString(),
  rejected_records: rejectedRecords,
  reason,
})
