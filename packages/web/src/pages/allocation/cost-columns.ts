import type { Allocation } from '@plimsoll/contract'
import { amountOf, wordOf } from '../../parts/money-classes.ts'

export type Cost = Allocation['steps'][number]['rest']['cost']

export type CostColumn = { header: string; meaning: string; of: (cost: Cost) => number }

const ofClass = (key: Parameters<typeof wordOf>[0]): CostColumn => {
  const { word, how } = wordOf(key)
  return { header: word, meaning: how, of: (cost) => amountOf(cost, key) }
}

/** Cost besides compute. */
const besides: CostColumn = {
  header: 'Storage, load balancers, fees',
  meaning: 'Volumes, load balancers and control plane fees, including shared cost',
  of: (cost) => cost.storage + cost.load_balancer + cost.overhead + cost.shared_overhead + cost.shared_namespaces,
}

/** Each dollar of a row is in exactly one column. Unmeasured cost has a column only if a row has any. */
export function costColumns(costs: readonly Cost[]): CostColumn[] {
  const hasGaps = costs.some(({ unmeasured }) => unmeasured > 0)
  return [
    ofClass('used'),
    ...(hasGaps ? [ofClass('unmeasured')] : []),
    ofClass('workload_idle'),
    ofClass('cluster_idle'),
    besides,
  ]
}
