import type { IdleCosts, Summary } from '@plimsoll/contract'
import {
  BYTES_PER_KIB,
  decimal,
  MICROCORES_PER_CORE,
  roundToNumber,
  SECONDS_PER_HOUR,
  type Resource,
} from '@plimsoll/engine'
import {
  loadCloudResourceFigures,
  presentCloudResourceCost,
  presentCloudResourceUnpriced,
  type CloudResourceFigures,
} from './cloud-resources.ts'
import type { LiveCounts } from '../clusters/index.ts'
import type { Cover } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { NodeTotals } from './queries/quantities.ts'
import {
  listRecommendations,
  presentRecommendations,
  sumPotentialSavings,
  type Permissions,
  type RecommendationRow,
} from '../recommendations/index.ts'
import {
  descending,
  loadComputeFigures,
  namespacesByCost,
  presentIdleCosts,
  sumOf,
  type ComputeFigures,
} from './idle-costs.ts'
import type { HourWindow } from './parse-window.ts'
import { perResource } from './quantities.ts'

const rowsShownMax = 10

/** The parts of a summary that depend only on the hours of the window. */
export type WindowFigures = {
  idleCosts: IdleCosts
  costs: Summary['cost_breakdown']
  utilization: Pick<Summary['node_utilization'], 'cpu' | 'memory' | 'by_node'>
}

export async function loadWindowFigures(tx: Db, window: HourWindow, cover: Cover): Promise<WindowFigures> {
  const figures = await loadComputeFigures(tx, window, cover)
  return {
    idleCosts: presentIdleCosts(figures),
    costs: presentCosts(figures, await loadCloudResourceFigures(tx, cover)),
    utilization: {
      cpu: utilization(figures, 'cpu', 1 / MICROCORES_PER_CORE),
      memory: utilization(figures, 'memory', BYTES_PER_KIB),
      by_node: emptiestNodes(figures),
    },
  }
}

function presentCosts({ breakdown }: ComputeFigures, cloudResources: CloudResourceFigures): Summary['cost_breakdown'] {
  const { volume, balancer, control_plane: controlPlane } = cloudResources.byKind
  return {
    total: roundToNumber(breakdown.total + cloudResources.total),
    compute: perResource((resource) => roundToNumber(sumOf(breakdown.byResource[resource]))),
    storage: presentCloudResourceCost(volume),
    load_balancer: presentCloudResourceCost(balancer),
    overhead: presentCloudResourceCost(controlPlane),
    unpriced: {
      storage: presentCloudResourceUnpriced(volume),
      load_balancer: presentCloudResourceUnpriced(balancer),
      overhead: presentCloudResourceUnpriced(controlPlane),
    },
    ...largestNamespaces(breakdown, cloudResources),
  }
}

function largestNamespaces(
  breakdown: ComputeFigures['breakdown'],
  cloudResources: CloudResourceFigures,
): Pick<Summary['cost_breakdown'], 'by_namespace' | 'by_namespace_rest'> {
  const costs = new Map(cloudResources.byNamespace)
  for (const { namespace, ...classes } of namespacesByCost(breakdown)) {
    costs.set(namespace, (costs.get(namespace) ?? 0n) + sumOf(classes))
  }
  const all = [...costs].sort(([, a], [, b]) => descending(a, b))
  const rest = all.slice(rowsShownMax)
  return {
    by_namespace: all.slice(0, rowsShownMax).map(([namespace, usd]) => ({ namespace, cost: roundToNumber(usd) })),
    by_namespace_rest: { rows: rest.length, cost: roundToNumber(rest.reduce((sum, [, usd]) => sum + usd, 0n)) },
  }
}

export type Advice = { top: readonly RecommendationRow[]; savings: Summary['potential_savings'] }

const topShownMax = 5

/** The open recommendations. */
export async function loadAdvice(tx: Db, clusterId: string, now: Date): Promise<Advice> {
  const savings = await sumPotentialSavings(tx, clusterId, now)
  const sum = (of: 'estimated' | 'bankable') =>
    roundToNumber(savings.reduce((total, each) => total + decimal(each[of]), 0n))
  return {
    top: await listTop(tx, clusterId, now),
    savings: {
      estimated: sum('estimated'),
      bankable: sum('bankable'),
      currency: 'USD',
      by_category: Object.fromEntries(savings.map(({ category, estimated }) => [category, Number(estimated)])),
    },
  }
}

const listTop = (tx: Db, clusterId: string, now: Date) =>
  listRecommendations(
    tx,
    { clusters: null, namespaces: null },
    { clusterIds: [clusterId], statuses: ['pending'], awakeAt: now },
    { sort: '-estimated_savings', after: undefined, limit: topShownMax },
  )

export function presentSummary(
  { idleCosts, costs, utilization: ofWindow }: WindowFigures,
  { nodes, pods, podsAllocatable }: LiveCounts,
  { advice, caller }: { advice: Advice; caller: Permissions },
): Summary {
  const { cluster_id, window, as_of, data_status, currency } = idleCosts
  return {
    cluster_id,
    window,
    as_of,
    data_status,
    currency,
    cost_breakdown: costs,
    node_utilization: {
      nodes,
      ...ofWindow,
      pods: { allocatable: podsAllocatable, running: pods, percent: percent(pods, podsAllocatable) },
    },
    // A caller without access to recommendations sees the total savings, not the recommendations.
    top_recommendations: caller.permissions.has('recommendations:read')
      ? presentRecommendations(advice.top, caller)
      : null,
    idle_costs: idleCosts,
    potential_savings: advice.savings,
  }
}

/** Means over the existing hours: missing hours do not count as empty. */
function utilization(figures: ComputeFigures, resource: 'cpu' | 'memory', unitsPerStored: number) {
  const { nodes, namespaces, cover } = figures
  const seconds = cover.hoursWithData * SECONDS_PER_HOUR
  const mean = (unitSeconds: bigint) => (seconds === 0 ? 0 : (Number(unitSeconds) / seconds) * unitsPerStored)
  const ofNodes = (sum: 'capacity' | 'allocatable') => mean(total(nodes, (row) => row[`${resource}_${sum}`]))
  const ofNamespaces = (sum: 'request' | 'usage') => mean(total(namespaces, (row) => row[`${resource}_${sum}`]))

  const allocatable = ofNodes('allocatable')
  const requested = ofNamespaces('request')
  const isMeasured = namespaces.some((row) => row[`${resource}_known`] !== '0')
  const used = isMeasured ? ofNamespaces('usage') : null
  return {
    capacity: round(ofNodes('capacity')),
    allocatable: round(allocatable),
    requested: round(requested),
    used: used === null ? null : round(used),
    requested_percent: percent(requested, allocatable),
    used_percent: used === null ? null : percent(used, allocatable),
  }
}

const total = <Row>(rows: readonly Row[], valueOf: (row: Row) => string) =>
  rows.reduce((sum, row) => sum + BigInt(valueOf(row)), 0n)

const round = (value: number) => Number(value.toFixed(3))

const percent = (part: number, whole: number) => (whole === 0 ? null : Number(((100 * part) / whole).toFixed(2)))

/** By unallocated cost; ended nodes are omitted. */
function emptiestNodes({ breakdown, knownNodes, nodes }: ComputeFigures): Summary['node_utilization']['by_node'] {
  const emptiness = (classes: { clusterIdle: bigint }, cost: bigint) => (classes.clusterIdle * 1_000_000n) / cost
  return breakdown.byNode
    .map((row) => ({ ...row, cost: sumOf(row), known: knownNodes.get(row.node) }))
    .filter(({ cost, known }) => cost > 0n && known?.endedAt === null)
    .sort((a, b) => descending(emptiness(a, a.cost), emptiness(b, b.cost)) || descending(a.cost, b.cost))
    .slice(0, rowsShownMax)
    .map(({ node, cost, clusterIdle, known }) => ({
      node_uid: node,
      node: known?.name ?? node,
      cost: roundToNumber(cost),
      idle_cost: roundToNumber(clusterIdle),
      cpu_allocated_percent: allocatedPercent(nodes, node, 'cpu'),
      memory_allocated_percent: allocatedPercent(nodes, node, 'memory'),
    }))
}

export function allocatedPercent(nodes: readonly NodeTotals[], uid: string, resource: Resource): number | null {
  const own = nodes.filter(({ node_uid: each }) => each === uid)
  const alloc = total(own, (row) => row[`${resource}_alloc`])
  return percent(Number(alloc), Number(total(own, (row) => row[`${resource}_capacity`])))
}
