import type { Estimate } from '@plimsoll/contract'
import { findStaticObstacle } from '@plimsoll/engine/packing'
import type { Rates } from '../facts/packing-of.ts'
import { livingNodes, labelsOf } from '../facts/packing-of.ts'
import type { Packed } from '../facts/node-facts.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { billOf, unknownBill } from './bill-of.ts'
import { estimateWorkload, round, type WorkloadEstimate, type WorkloadPast } from './estimate-workload.ts'
import { liveCluster } from './live-workloads.ts'
import type { AskedWorkload } from './read-workloads.ts'

export type EstimateInput = {
  clusterId: string
  snapshot: FoldState
  rates: Rates
  past: ReadonlyMap<string, WorkloadPast>
  workloads: readonly AskedWorkload[]
  /** Called only if the caller may see nodes, because packing takes longest. */
  pack: (() => Promise<Packed | undefined>) | undefined
}

/** What a change of workloads costs: the requests of each workload, and what the bill will do. */
export async function estimateChange({
  snapshot,
  rates,
  past,
  workloads,
  pack,
  clusterId,
}: EstimateInput): Promise<Estimate> {
  const context = { cluster: liveCluster(snapshot, rates), past, nodes: countPlainNodes(snapshot) }
  const estimates = workloads.map((workload) => estimateWorkload(workload, context))
  const bill = pack ? billOf(await pack(), estimates) : unknownBill([hidden])
  return {
    cluster_id: clusterId,
    currency: 'USD',
    as_of: new Date(snapshot.watermark * 1000).toISOString(),
    partial: isPartial(estimates, bill),
    workloads: estimates.map(({ shown }) => shown),
    requests: sumsOf(estimates),
    bill,
  }
}

/** Before the first report of a cluster, nothing is known. */
export function isPartial(estimates: readonly WorkloadEstimate[], bill: Estimate['bill']): boolean {
  return bill.monthly_change === null || estimates.some(({ shown }) => shown.monthly_change === null)
}

const hidden = {
  code: 'role_narrowed' as const,
  detail: 'Your role is limited to some namespaces. The bill concerns the nodes of the whole cluster.',
}

const countPlainNodes = (snapshot: FoldState): number =>
  livingNodes(snapshot).filter(({ versions }) => {
    const facts = versions.at(-1)?.facts
    if (!facts) return false
    const { name, taints = [] } = facts
    return findStaticObstacle({}, { name, labels: labelsOf(facts), taints }) === undefined
  }).length

function sumsOf(estimates: readonly WorkloadEstimate[]): Estimate['requests'] {
  const known = estimates.filter(({ shown }) => shown.monthly_change !== null)
  const sum = (of: (shown: WorkloadEstimate['shown']) => number | null | undefined) =>
    round(known.reduce((total, { shown }) => total + (of(shown) ?? 0), 0))
  return {
    monthly_cost_before: sum(({ before }) => before?.monthly_cost),
    monthly_cost_after: sum(({ after }) => after?.monthly_cost),
    monthly_change: sum(({ monthly_change }) => monthly_change),
    unknown_workloads: estimates.length - known.length,
  }
}
