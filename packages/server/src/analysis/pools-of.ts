import type { ObjectSpec } from '@plimsoll/contract'
import type { PackingPool } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type NodeRecord } from '../fold/inventory.ts'
import { nodeTypes } from './node-types.ts'
import { nodesByPool } from './packing-of.ts'
import type { Pricing } from './pricing.ts'

const karpenterLabel = 'karpenter.sh/nodepool'

/** Which pools there are and who scales them: as the cluster says, else as its nodes and pods show. */
export function poolsOf(state: FoldState, pricing: Pricing): PackingPool[] {
  const said = new Map(state.objects.living('node_pool', state.watermark).map(({ name, spec }) => [name, spec]))
  const hasScaler = runsClusterAutoscaler(state)
  return [...nodesByPool(state)].map(([name, nodes]) => {
    const spec = said.get(name)
    return spec ? saidPool(name, spec, nodes, pricing) : shownPool(name, nodes, hasScaler)
  })
}

function saidPool(
  name: string,
  spec: ObjectSpec<'node_pool'>,
  nodes: readonly NodeRecord[],
  pricing: Pricing,
): PackingPool {
  if (spec.scaler === 'none') return { name, kind: 'unmanaged' }
  if (spec.scaler === 'karpenter') {
    const types = spec.instance_types ? nodeTypes(pricing, nodes, spec.instance_types) : []
    return { name, kind: 'karpenter', ...(types.length > 0 ? { types } : {}), onlyEmpty: spec.only_empty ?? false }
  }
  const threshold = spec.threshold_percent === undefined ? {} : { thresholdPercent: spec.threshold_percent }
  return { name, kind: 'cluster-autoscaler', nodesMin: spec.nodes_min ?? 1, ...threshold }
}

/** Where nobody tells the minimum of a pool, one node stays. */
function shownPool(name: string, nodes: readonly NodeRecord[], hasScaler: boolean): PackingPool {
  const isKarpenter = nodes.some(({ versions }) => karpenterLabel in (versions.at(-1)?.facts.labels ?? {}))
  if (isKarpenter) return { name, kind: 'karpenter' }
  return hasScaler ? { name, kind: 'cluster-autoscaler', nodesMin: 1 } : { name, kind: 'unmanaged' }
}

function runsClusterAutoscaler({ inventory, watermark }: FoldState): boolean {
  for (const pod of inventory.pods.values()) {
    if (pod.workloadName.includes('cluster-autoscaler') && pod.node && paidUntil(pod) > watermark) return true
  }
  return false
}
