import type { NodePoolScaling, PolicySettings, PoolAnswer } from '@plimsoll/contract'

export const needsAnswer = ({ scaling }: NodePoolScaling) => scaling.by === 'unknown'

const scalers: Record<NodePoolScaling['scaling']['by'], string> = {
  karpenter: 'scaled by Karpenter',
  cluster_autoscaler: 'scaled by Cluster Autoscaler',
  nobody: 'not scaled automatically',
  unknown: 'autoscaling unknown',
}

const sources: Record<NodePoolScaling['scaling']['known_from'], string> = {
  answer: 'set here',
  node_pool: 'from the node pool definition',
  node_labels: 'from node labels',
  node_taints: 'from node taints',
  autoscaler_status: 'from the Cluster Autoscaler status',
  autoscaler_pod: 'because a Cluster Autoscaler runs in the cluster',
  nothing: '',
}

/** What resizes a pool, and the source of this information. */
export function scalingWords({ by, known_from }: NodePoolScaling['scaling']): string {
  const source = sources[known_from]
  return source === '' ? scalers[by] : `${scalers[by]} (${source})`
}

/** The settings of a cluster with the answer about one pool; `open` removes the answer. */
export function withAnswer(own: PolicySettings, pool: string, answer: PoolAnswer | 'open'): PolicySettings {
  const { node_pool_scaling: before = {}, ...rest } = own
  const { [pool]: _before, ...others } = before
  const after = answer === 'open' ? others : { ...others, [pool]: answer }
  return Object.keys(after).length === 0 ? rest : { ...rest, node_pool_scaling: after }
}
