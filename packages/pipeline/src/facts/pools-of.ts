import { matchGroups, type ObjectSpec, type PoolScaling } from '@plimsoll/contract'
import type { PackingPool } from '@plimsoll/engine/packing'
import type { PoolScaling as PoolAnswer } from '@plimsoll/engine/vocabulary'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type NodeRecord } from '../fold/inventory.ts'
import { nodeTypes } from './node-types.ts'
import { nodesByPool } from './packing-of.ts'
import type { Pricing } from '../prices/pricing.ts'

const karpenterLabels = ['karpenter.sh/nodepool', 'karpenter.sh/provisioner-name']
/** The cluster-autoscaler puts these on nodes that it is about to remove. */
const autoscalerTaints = ['DeletionCandidateOfClusterAutoscaler', 'ToBeDeletedByClusterAutoscaler']
/** Node auto-provisioning of GKE creates and removes pools with such names, as in `nap-e2-standard-4-1a2b3c4d`. */
const autoProvisionedPool = /^nap-[0-9a-z-]+-[0-9a-z]{8}$/
const gkePoolLabel = 'cloud.google.com/gke-nodepool'

/** A pool as the packing takes it, with the source of its autoscaler. */
export type ScaledPool = { readonly pool: PackingPool; readonly scaling: PoolScaling }

export type PoolAnswers = Readonly<Record<string, PoolAnswer>>

/**
 * The pools and their autoscalers. The answer of a user takes precedence, then declarations in the cluster, then signs
 * on nodes and pods. A pool without any of these counts as not autoscaled.
 */
export function poolsOf(state: FoldState, pricing: Pricing, answers: PoolAnswers = {}): ScaledPool[] {
  const declared = new Map(state.objects.living('node_pool', state.watermark).map(({ name, spec }) => [name, spec]))
  const status = readStatus(state)
  return [...nodesByPool(state)].map(([name, nodes]) => {
    const answer = answers[name]
    if (answer) return answeredPool(name, answer)
    const spec = declared.get(name)
    if (spec) return declaredPool(name, spec, nodes, pricing)
    return observedPool(name, nodes, status)
  })
}

function answeredPool(name: string, answer: PoolAnswer): ScaledPool {
  return answer === 'manual'
    ? { pool: { name, kind: 'unmanaged' }, scaling: { by: 'nobody', known_from: 'answer' } }
    : {
        pool: { name, kind: 'cluster-autoscaler', nodesMin: 1 },
        scaling: { by: 'cluster_autoscaler', known_from: 'answer' },
      }
}

function declaredPool(
  name: string,
  spec: ObjectSpec<'node_pool'>,
  nodes: readonly NodeRecord[],
  pricing: Pricing,
): ScaledPool {
  const known_from = 'node_pool'
  if (spec.scaler === 'none') return { pool: { name, kind: 'unmanaged' }, scaling: { by: 'nobody', known_from } }
  if (spec.scaler === 'karpenter') {
    const types = spec.instance_types ? nodeTypes(pricing, nodes, spec.instance_types) : []
    const onlyEmpty = spec.only_empty ?? false
    const pool = { name, kind: 'karpenter' as const, ...(types.length > 0 ? { types } : {}), onlyEmpty }
    return { pool, scaling: { by: 'karpenter', known_from } }
  }
  const threshold = spec.threshold_percent === undefined ? {} : { thresholdPercent: spec.threshold_percent }
  const pool = { name, kind: 'cluster-autoscaler' as const, nodesMin: spec.nodes_min ?? 1, ...threshold }
  return { pool, scaling: { by: 'cluster_autoscaler', known_from } }
}

type NodeGroup = ObjectSpec<'cluster_autoscaler'>['groups'][number]

type Status = {
  /** Undefined: no cluster-autoscaler reports its groups. */
  readonly groups: readonly NodeGroup[] | undefined
  readonly hasAutoscalerPod: boolean
}

function readStatus(state: FoldState): Status {
  const autoscalers = state.objects.living('cluster_autoscaler', state.watermark)
  return {
    groups: autoscalers.length === 0 ? undefined : autoscalers.flatMap(({ spec }) => spec.groups),
    hasAutoscalerPod: runsClusterAutoscaler(state),
  }
}

/** Where the minimum of a pool is unknown, one node stays. */
function observedPool(name: string, nodes: readonly NodeRecord[], { groups, hasAutoscalerPod }: Status): ScaledPool {
  const scaled = (known_from: PoolScaling['known_from'], nodesMin = 1): ScaledPool => ({
    pool: { name, kind: 'cluster-autoscaler', nodesMin },
    scaling: { by: 'cluster_autoscaler', known_from },
  })
  const facts = nodes.flatMap(({ versions }) => versions.at(-1)?.facts ?? [])
  if (facts.some(({ labels }) => karpenterLabels.some((label) => label in labels)))
    return { pool: { name, kind: 'karpenter' }, scaling: { by: 'karpenter', known_from: 'node_labels' } }
  const own = matchGroups(groups ?? [], { pool: name, nodes: facts.map((each) => each.name) })
  if (own.length > 0)
    return scaled(
      'autoscaler_status',
      own.reduce((sum, { nodes_min }) => sum + nodes_min, 0),
    )
  if (autoProvisionedPool.test(name) && facts.some(({ labels }) => gkePoolLabel in labels))
    return scaled('node_labels', 0)
  if (facts.some(({ taints = [] }) => taints.some(({ key }) => autoscalerTaints.includes(key))))
    return scaled('node_taints')
  // An autoscaler that reports its groups does not scale the pools that it leaves out.
  if (groups === undefined && hasAutoscalerPod) return scaled('autoscaler_pod')
  return { pool: { name, kind: 'unmanaged' }, scaling: { by: 'unknown', known_from: 'nothing' } }
}

function runsClusterAutoscaler({ inventory, watermark }: FoldState): boolean {
  for (const pod of inventory.pods.values()) {
    if (pod.workloadName.includes('cluster-autoscaler') && pod.node && paidUntil(pod) > watermark) return true
  }
  return false
}
