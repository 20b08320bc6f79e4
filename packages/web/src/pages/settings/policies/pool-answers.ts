import type { NodePoolScaling, PolicySettings, PoolAnswer } from '@plimsoll/contract'

export const needsAnswer = ({ scaling }: NodePoolScaling) => scaling.by === 'unknown'

const scalers: Record<NodePoolScaling['scaling']['by'], string> = {
  karpenter: 'scaled by Karpenter',
  cluster_autoscaler: 'scaled by a cluster-autoscaler',
  nobody: 'not scaled automatically',
  unknown: 'autoscaling not known',
}

const sources: Record<NodePoolScaling['scaling']['known_from'], string> = {
  answer: 'as answered here',
  node_pool: 'as its NodePool declares',
  node_labels: 'by the labels of its nodes',
  node_taints: 'by the taints of its nodes',
  autoscaler_status: 'by the status of the cluster-autoscaler',
  autoscaler_pod: 'because a cluster-autoscaler runs in the cluster',
  nothing: '',
}

/** What resizes a pool, and where that is known from. */
export function scalingWords({ by, known_from }: NodePoolScaling['scaling']): string {
  const source = sources[known_from]
  return source === '' ? scalers[by] : `${scalers[by]} (${source})`
}

/** The settings of a cluster with the answer about one pool; `open` takes the answer back. */
export function withAnswer(own: PolicySettings, pool: string, answer: PoolAnswer | 'open'): PolicySettings {
  const { node_pool_scaling: before = {}, ...rest } = own
  const { [pool]: _before, ...others } = before
  const after = answer === 'open' ? others : { ...others, [pool]: answer }
  return Object.keys(after).length === 0 ? rest : { ...rest, node_pool_scaling: after }
}
