import type { IdleCosts } from '@plimsoll/contract'
import { roundToNumber } from '@plimsoll/engine'
import {
  addClasses,
  IDLE_NAMESPACE,
  idleBreakdown,
  NO_CLASSES,
  type CostClasses,
  type IdleBreakdown,
} from '@plimsoll/engine/idle'
import { type Cover, type KnownNode, listKnownNodes } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { sumNamespaces, sumNodes, type NamespaceTotals, type NodeTotals } from './queries/quantities.ts'
import { loadRates, nodeRatesOf } from '../prices/index.ts'
import { dataStatus } from './data-status.ts'
import { hoursIn, presentWindow, type HourWindow } from './parse-window.ts'
import { namespaceQuantities, nodeQuantities, perResource, type RatesOf } from './quantities.ts'

/** The name of the rest when a list shows only its largest rows. Kubernetes does not allow this name. */
export const OTHER = '__other__'

const nodesShownMax = 100

/** The compute of a cluster in a window: its input, and the result of the engine. */
export type ComputeFigures = {
  clusterId: string
  window: HourWindow
  cover: Cover
  nodes: readonly NodeTotals[]
  namespaces: readonly NamespaceTotals[]
  knownNodes: ReadonlyMap<string, KnownNode>
  breakdown: IdleBreakdown
}

export async function loadComputeFigures(tx: Db, window: HourWindow, cover: Cover): Promise<ComputeFigures> {
  const { clusterId } = cover
  const nodes = await sumNodes(tx, cover)
  const namespaces = await sumNamespaces(tx, cover)
  const ratesOf = await loadRatesOf(tx, [...nodes, ...namespaces])
  const known = await listKnownNodes(
    tx,
    clusterId,
    nodes.map(({ node_uid: uid }) => uid),
  )
  return {
    clusterId,
    window,
    cover,
    nodes,
    namespaces,
    knownNodes: new Map(known.map((node) => [node.uid, node])),
    breakdown: idleBreakdown(nodeQuantities(nodes, ratesOf), namespaceQuantities(namespaces, ratesOf)),
  }
}

export async function loadRatesOf(tx: Db, rows: readonly { rate_id: string }[]): Promise<RatesOf> {
  const ids = rows.map(({ rate_id: id }) => id)
  const rates = new Map([...(await loadRates(tx, ids))].map(([id, row]) => [id, nodeRatesOf(row)]))
  return (rateId) => {
    const found = rates.get(rateId)
    if (!found) throw new Error(`the rate ${rateId} is missing`)
    return found
  }
}

export function presentIdleCosts(figures: ComputeFigures): IdleCosts {
  const { clusterId, window, cover, breakdown } = figures
  return {
    cluster_id: clusterId,
    window: presentWindow(window),
    as_of: cover.asOf?.toISOString() ?? null,
    data_status: dataStatus({ hours: hoursIn(window), hoursWithData: cover.hoursWithData }, { isCollecting: false }),
    currency: 'USD',
    breakdown: presentClasses(breakdown.classes),
    total: roundToNumber(breakdown.total),
    by_resource: perResource((resource) => withTotal(breakdown.byResource[resource])),
    by_namespace: namespacesByCost(breakdown).map(({ namespace, ...classes }) => ({
      namespace,
      ...withTotal(classes),
    })),
    by_node: presentNodes(figures),
    system_reserved: roundToNumber(breakdown.systemReserved),
    usage_coverage: presentCoverage(breakdown),
    unpriced: presentUnpriced(breakdown),
  }
}

/** Largest first; without data there are no rows, not even an idle row. */
export function namespacesByCost({ byNamespace, total }: IdleBreakdown): IdleBreakdown['byNamespace'] {
  const rows = byNamespace.filter(
    ({ namespace }) => namespace !== IDLE_NAMESPACE || total > 0n || byNamespace.length > 1,
  )
  return [...rows].sort((a, b) => descending(sumOf(a), sumOf(b)))
}

function presentNodes({ breakdown: { byNode }, knownNodes }: ComputeFigures): IdleCosts['by_node'] {
  const idle = ({ workloadIdle, clusterIdle }: CostClasses) => workloadIdle + clusterIdle
  const sorted = [...byNode].sort((a, b) => descending(idle(a), idle(b)))
  const shown = sorted.slice(0, nodesShownMax).map(({ node, ...classes }) => ({
    node_uid: node,
    node: knownNodes.get(node)?.name ?? node,
    ...withTotal(classes),
  }))
  const rest = sorted.slice(nodesShownMax)
  return rest.length === 0
    ? shown
    : [...shown, { node_uid: OTHER, node: OTHER, ...withTotal(rest.reduce(addClasses, NO_CLASSES)) }]
}

export const sumOf = ({ workload, workloadIdle, clusterIdle }: CostClasses) => workload + workloadIdle + clusterIdle

export const descending = (a: bigint, b: bigint) => (a === b ? 0 : a < b ? 1 : -1)

const presentClasses = ({ workload, workloadIdle, clusterIdle, unmeasured }: CostClasses) => ({
  workload: roundToNumber(workload),
  workload_idle: roundToNumber(workloadIdle),
  cluster_idle: roundToNumber(clusterIdle),
  unmeasured: roundToNumber(unmeasured),
})

export const withTotal = (classes: CostClasses) => ({
  ...presentClasses(classes),
  total: roundToNumber(sumOf(classes)),
})

export const presentCoverage = ({ usageCoverage }: IdleBreakdown) =>
  perResource((resource) => {
    const coverage = usageCoverage[resource]
    return coverage.kind === 'known' ? coverage.fraction : null
  })

export const presentUnpriced = ({ unpriced }: IdleBreakdown) =>
  perResource((resource) => {
    const { unitSeconds, fraction } = unpriced[resource]
    return { unit_seconds: unitSeconds.toString(), fraction }
  })
