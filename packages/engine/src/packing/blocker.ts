import { count } from '../count.ts'
import type { StaticFilter } from './static-filters.ts'

export type PodName = { readonly namespace: string; readonly name: string }

/** Why no other node takes a pod; of a resource it says which. */
export type FilterCode =
  | StaticFilter
  | 'pod-affinity'
  | 'pod-anti-affinity'
  | 'topology-spread'
  | 'host-port'
  | 'max-pods'
  | `insufficient-${string}`
  | 'no-other-node'

/** The one thing that keeps a node. */
export type Blocker =
  | { readonly code: 'node-marked' }
  | { readonly code: 'pool-minimum'; readonly nodesMin: number }
  | { readonly code: 'above-threshold'; readonly usedPercent: number; readonly thresholdPercent: number }
  | { readonly code: 'only-empty-nodes'; readonly pods: number }
  | {
      readonly code: 'pod-marked'
      readonly pod: PodName
      readonly mark: 'karpenter.sh/do-not-disrupt' | 'cluster-autoscaler.kubernetes.io/safe-to-evict'
    }
  | { readonly code: 'bare-pod' | 'local-storage' | 'system-pod'; readonly pod: PodName }
  | {
      readonly code: 'disruption-budget'
      readonly pod: PodName
      readonly budget: string
      readonly disruptionsAllowed: number
      /** How many pods of the node the budget watches over. */
      readonly pods: number
    }
  | { readonly code: 'several-budgets'; readonly pod: PodName; readonly budgets: readonly string[] }
  | {
      /** `pod-may-not-fit`: the pod finds a node or not, depending on where the scheduler puts the pods before it. */
      readonly code: 'pod-does-not-fit' | 'pod-may-not-fit'
      readonly pod: PodName
      /** What keeps the pod away from most of the nodes that come closest to taking it, and from how many. */
      readonly filter: FilterCode
      readonly nodes: number
    }

/** Whether people have said it and could unsay it; what a scaler does or where pods fit is not like that. */
export const isLiftable = (code: string) => liftable.has(code)

const liftable: ReadonlySet<string> = new Set<Blocker['code']>([
  'node-marked',
  'pod-marked',
  'bare-pod',
  'local-storage',
  'system-pod',
  'disruption-budget',
  'several-budgets',
])

/** For people. */
export function describeBlocker(blocker: Blocker): string {
  switch (blocker.code) {
    case 'node-marked':
      return 'The node itself is marked as not to be removed.'
    case 'pool-minimum':
      return `The pool is at its minimum of ${count(blocker.nodesMin, 'node')}.`
    case 'above-threshold':
      return `${blocker.usedPercent} % of it is requested; the autoscaler only looks at nodes below ${blocker.thresholdPercent} %.`
    case 'only-empty-nodes':
      return `The pool removes empty nodes only, and ${count(blocker.pods, 'pod')} run${blocker.pods === 1 ? 's' : ''} here.`
    case 'pod-marked':
      return `${of(blocker.pod)} is marked with ${blocker.mark}=${blocker.mark === 'karpenter.sh/do-not-disrupt'}.`
    case 'bare-pod':
      return `${of(blocker.pod)} has no controller that would start it elsewhere.`
    case 'local-storage':
      return `${of(blocker.pod)} keeps data on the node's disk.`
    case 'system-pod':
      return `${of(blocker.pod)} is a system pod without a disruption budget.`
    case 'disruption-budget':
      return `${of(blocker.pod)}: the budget ${blocker.budget} allows ${count(blocker.disruptionsAllowed, 'disruption')}, and ${count(blocker.pods, 'pod')} of it would have to leave.`
    case 'several-budgets':
      return `${of(blocker.pod)} is in several budgets (${blocker.budgets.join(', ')}), so it cannot be evicted.`
    case 'pod-does-not-fit':
      return blocker.filter === 'no-other-node'
        ? `${of(blocker.pod)} has no other node to go to.`
        : `${of(blocker.pod)} fits nowhere else: ${blocker.filter} on ${count(blocker.nodes, 'node')}.`
    case 'pod-may-not-fit':
      return `${of(blocker.pod)} may find no node: that depends on where the scheduler places other pods first.`
  }
}

const of = ({ namespace, name }: PodName) => `${namespace}/${name}`
