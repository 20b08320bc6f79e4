import { groupBy, RESOURCES, type Decimal } from '@plimsoll/engine'
import { nodeEffects, nodeMovement, type NodeCapacity, type NodeMovement } from '@plimsoll/engine/changes'
import { streamNodes, type NodeChangeRow } from '../queries/changes.ts'
import type { ClusterCapacity } from './capacity.ts'
import type { ClusterComparison } from './cluster-comparison.ts'

/** A node and its effect on the bill. `classKey` and the price are those of its newest rate. */
export type NodeChange = {
  clusterId: string
  uid: string
  name: string
  pool: string
  classKey: string
  movement: NodeMovement
  firstSeenAt: Date | null
  endedAt: Date | null
  usdPerHour: string | null
  usd: Decimal
}

/** Each node of both windows. Their effects add up to the effect `nodes` of the cluster. */
export async function loadNodeChanges(cluster: ClusterComparison, capacity: ClusterCapacity): Promise<NodeChange[]> {
  const { tx, covers, rates, comparison, signal } = cluster
  const rows: NodeChangeRow[] = []
  for await (const row of streamNodes(tx, covers)) {
    signal?.throwIfAborted()
    await rates.load([row])
    rows.push(row)
  }
  const capacities = rows.map((row) => nodeCapacity(cluster, row))
  const effects = nodeEffects(capacities, capacity.totals, capacity.effects, comparison)
  return [...groupBy(rows, ({ uid }) => uid).values()].flatMap((own) => nodeChange(cluster, own, effects))
}

function nodeCapacity({ rates }: ClusterComparison, row: NodeChangeRow): NodeCapacity {
  const { classKey } = rates.get(row.rateId)
  return { uid: row.uid, classKey, before: capacityOf(row, 'before'), now: capacityOf(row, 'now') }
}

const capacityOf = (row: NodeChangeRow, side: 'before' | 'now') => ({
  cpu: BigInt(row[`${side}_cpu_capacity`]),
  memory: BigInt(row[`${side}_memory_capacity`]),
  gpu: BigInt(row[`${side}_gpu_capacity`]),
})

const ranIn = (side: 'before' | 'now') => (row: NodeChangeRow) =>
  RESOURCES.some((resource) => row[`${side}_${resource}_capacity`] !== '0')

function nodeChange(
  cluster: ClusterComparison,
  rows: readonly NodeChangeRow[],
  effects: ReadonlyMap<string, Decimal>,
): NodeChange[] {
  const newest = rows.findLast(ranIn('now')) ?? rows.at(-1)
  if (!newest) return []
  const { uid, name, pool, rateId, firstSeenAt, endedAt } = newest
  const usd = effects.get(uid) ?? 0n
  const ran = { before: rows.some(ranIn('before')), now: rows.some(ranIn('now')) }
  const { classKey, nodeUsdPerHour: usdPerHour } = cluster.rates.get(rateId)
  return [
    {
      clusterId: cluster.clusterId,
      uid,
      name: name ?? uid,
      pool: pool ?? '',
      classKey,
      movement: nodeMovement({ ...ran, isWholeLife: ranThrough(cluster, newest) }, usd),
      firstSeenAt,
      endedAt,
      usdPerHour,
      usd,
    },
  ]
}

/** Whether the node existed before both windows and after them. */
function ranThrough({ options }: ClusterComparison, { firstSeenAt, endedAt }: NodeChangeRow): boolean {
  const { before, now } = options.windows
  const [start, end] = [before.from < now.from ? before.from : now.from, before.to > now.to ? before.to : now.to]
  return firstSeenAt !== null && firstSeenAt <= start && (endedAt === null || endedAt >= end)
}
