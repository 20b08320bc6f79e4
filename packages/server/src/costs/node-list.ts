import type { ClusterNode } from '@plimsoll/contract'
import { BYTES_PER_KIB, MICROCORES_PER_CORE, PARTS_PER_WHOLE, type Amounts } from '@plimsoll/engine'
import { idleBreakdown, NO_CLASSES, type CostClasses } from '@plimsoll/engine/idle'
import type { Db } from '../platform/db/database.ts'
import { listNodes, type NodePage, type NodeRow } from '../ingest/index.ts'
import { sumSomeNodes, type NodeTotals } from './queries/quantities.ts'
import { loadRatesOf, withTotal } from './idle-costs.ts'
import type { HourWindow } from './parse-window.ts'
import { nodeQuantities } from './quantities.ts'
import { loadShownCover, type ShownCover } from './shown-cover.ts'
import { allocatedPercent } from './summary.ts'

/** One more than the page, which shows whether there is another page. */
export async function loadNodes(
  tx: Db,
  clusterId: string,
  window: HourWindow,
  page: Pick<NodePage, 'state' | 'after' | 'limit'>,
): Promise<{ nodes: ClusterNode[]; cover: ShownCover }> {
  const cover = await loadShownCover(tx, clusterId, window)
  const to = cover.openHour?.through ?? window.to
  const nodes = await listNodes(tx, clusterId, { from: window.from, to, ...page })
  const totals = await sumSomeNodes(
    tx,
    cover,
    nodes.map(({ uid }) => uid),
  )
  const { byNode } = idleBreakdown(nodeQuantities(totals, await loadRatesOf(tx, totals)), [])
  const costs = new Map(byNode.map((row) => [row.node, row]))
  return { nodes: nodes.map((node) => presentNode(node, costs.get(node.uid) ?? NO_CLASSES, totals)), cover }
}

function presentNode(node: NodeRow, classes: CostClasses, totals: NodeTotals[]): ClusterNode {
  const { class_key: _priced, capacity, allocatable, gpu_product: _gpu, ...facts } = node.facts
  return {
    uid: node.uid,
    name: node.name,
    ...facts,
    capacity: presentSize(capacity),
    allocatable: presentSize(allocatable),
    price: {
      usd_per_hour: node.usdPerHour === null ? null : Number(node.usdPerHour),
      estimated: node.estimated === true,
      evidence: node.evidence,
    },
    first_seen_at: node.firstSeenAt.toISOString(),
    state: node.endedAt === null ? 'existing' : 'ended',
    ended_at: node.endedAt?.toISOString() ?? null,
    cost: withTotal(classes),
    cpu_allocated_percent: allocatedPercent(totals, node.uid, 'cpu'),
    memory_allocated_percent: allocatedPercent(totals, node.uid, 'memory'),
    why_still_here: node.verdict,
  }
}

const presentSize = ({ cpu, memory, gpu }: Amounts) => ({
  cpu_cores: cpu / MICROCORES_PER_CORE,
  memory_bytes: memory * BYTES_PER_KIB,
  gpus: gpu / PARTS_PER_WHOLE,
})
