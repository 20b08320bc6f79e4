import { count } from '../count.ts'
import type { StaticFilter } from './static-filters.ts'

export type PodName = { readonly namespace: string; readonly name: string }

/** The objects that block the drain of a node. */
export type BlockingObjects = {
  readonly pod?: PodName
  /** The annotation of the pod. */
  readonly annotation?: string
  readonly disruptionBudgets?: readonly string[]
}

/** Why no other node accepts a pod; `insufficient-` names the resource. */
export type FilterCode =
  | StaticFilter
  | 'pod-affinity'
  | 'pod-anti-affinity'
  | 'topology-spread'
  | 'host-port'
  | 'volume-limit'
  | 'max-pods'
  | `insufficient-${string}`
  | 'no-other-node'

/** The reason why a node cannot be removed. */
export type Blocker =
  | { readonly code: 'node-marked' }
  | { readonly code: 'pool-minimum'; readonly nodesMin: number }
  | { readonly code: 'above-threshold'; readonly usedPercent: number; readonly thresholdPercent: number }
  | { readonly code: 'only-empty-nodes'; readonly pods: number }
  | {
      readonly code: 'pod-marked'
      readonly pod: PodName
      readonly annotation: 'karpenter.sh/do-not-disrupt' | 'cluster-autoscaler.kubernetes.io/safe-to-evict'
    }
  | { readonly code: 'bare-pod' | 'local-storage' | 'system-pod'; readonly pod: PodName }
  | {
      readonly code: 'disruption-budget'
      readonly pod: PodName
      readonly disruptionBudget: string
      readonly disruptionsAllowed: number
      /** Pods of the node that match the PodDisruptionBudget. */
      readonly pods: number
    }
  | { readonly code: 'several-budgets'; readonly pod: PodName; readonly disruptionBudgets: readonly string[] }
  | {
      /** `pod-may-not-fit`: the result depends on where the scheduler places other pods first. */
      readonly code: 'pod-does-not-fit' | 'pod-may-not-fit'
      readonly pod: PodName
      /** The filter that rejects the pod on most of the nodes that almost accept it, and the number of these nodes. */
      readonly filter: FilterCode
      readonly nodes: number
    }

/** Whether people set the blocker and can remove it. Limits of a node autoscaler and missing capacity are not liftable. */
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

/** One sentence for people. Free to reword: `blockerBasis` identifies the blocker. */
export function describeBlocker(blocker: Blocker): string {
  switch (blocker.code) {
    case 'node-marked':
      return 'An annotation on the node forbids its removal.'
    case 'pool-minimum':
      return `The pool is at its minimum of ${count(blocker.nodesMin, 'node')}.`
    case 'above-threshold':
      return `${blocker.usedPercent} % of the node is requested; the autoscaler removes only nodes below ${blocker.thresholdPercent} %.`
    case 'only-empty-nodes':
      return `The pool removes empty nodes only, and ${count(blocker.pods, 'pod')} run${blocker.pods === 1 ? 's' : ''} on this node.`
    case 'pod-marked':
      return `${of(blocker.pod)} has the annotation ${annotationOf(blocker)}.`
    case 'bare-pod':
      return `${of(blocker.pod)} has no controller to recreate it on another node.`
    case 'local-storage':
      return `${of(blocker.pod)} uses local storage of the node.`
    case 'system-pod':
      return `${of(blocker.pod)} is a system pod without a PodDisruptionBudget.`
    case 'disruption-budget':
      return `${of(blocker.pod)}: the PodDisruptionBudget ${blocker.disruptionBudget} allows ${count(blocker.disruptionsAllowed, 'disruption')}, and the drain evicts ${count(blocker.pods, 'pod')}.`
    case 'several-budgets':
      return `${of(blocker.pod)} matches several PodDisruptionBudgets (${blocker.disruptionBudgets.join(', ')}), so it cannot be evicted.`
    case 'pod-does-not-fit':
      return blocker.filter === 'no-other-node'
        ? `No other node is available for ${of(blocker.pod)}.`
        : `${of(blocker.pod)} does not fit on any other node: ${describeFilter(blocker.filter)} on ${count(blocker.nodes, 'node')}.`
    case 'pod-may-not-fit':
      return `${of(blocker.pod)} may not fit on another node, depending on where the scheduler places other pods first.`
  }
}

const FILTERS: Readonly<Record<string, string>> = {
  taint: 'untolerated taint',
  'node-affinity': 'unmatched node affinity or node selector',
  'volume-zone': 'volume in another zone',
  'pod-affinity': 'unmatched pod affinity',
  'pod-anti-affinity': 'pod anti-affinity',
  'topology-spread': 'topology spread constraints',
  'host-port': 'host port in use',
  'volume-limit': 'volume limit of the CSI driver',
  'max-pods': 'maximum number of pods',
  'insufficient-cpu': 'not enough CPU',
}

function describeFilter(filter: FilterCode): string {
  return FILTERS[filter] ?? filter.replace(/^insufficient-/, 'not enough ')
}

/** The objects that a person changes to lift the blocker. */
export function blockingObjects(blocker: Blocker): BlockingObjects {
  switch (blocker.code) {
    case 'pod-marked':
      return { pod: blocker.pod, annotation: annotationOf(blocker) }
    case 'disruption-budget':
      return { pod: blocker.pod, disruptionBudgets: [blocker.disruptionBudget] }
    case 'several-budgets':
      return { pod: blocker.pod, disruptionBudgets: blocker.disruptionBudgets }
    case 'bare-pod':
    case 'local-storage':
    case 'system-pod':
      return { pod: blocker.pod }
    case 'node-marked':
    case 'pool-minimum':
    case 'above-threshold':
    case 'only-empty-nodes':
    case 'pod-does-not-fit':
    case 'pod-may-not-fit':
      return {}
  }
}

/**
 * Identifies a liftable blocker. The database stores this text with rejected recommendations and compares it later, so it must
 * never change: a new text would reopen every rejected recommendation.
 */
export function blockerBasis(blocker: Blocker): string {
  return `${blocker.code} ${basisText(blocker)}`.trimEnd()
}

function basisText(blocker: Blocker): string {
  switch (blocker.code) {
    case 'node-marked':
      return 'The node itself is marked as not to be removed.'
    case 'pod-marked':
      return `${of(blocker.pod)} is marked with ${annotationOf(blocker)}.`
    case 'bare-pod':
      return `${of(blocker.pod)} has no controller that would start it elsewhere.`
    case 'local-storage':
      return `${of(blocker.pod)} keeps data on the node's disk.`
    case 'system-pod':
      return `${of(blocker.pod)} is a system pod without a disruption budget.`
    case 'disruption-budget':
      return `${of(blocker.pod)}: the budget ${blocker.disruptionBudget} allows ${count(blocker.disruptionsAllowed, 'disruption')}, and ${count(blocker.pods, 'pod')} of it would have to leave.`
    case 'several-budgets':
      return `${of(blocker.pod)} is in several budgets (${blocker.disruptionBudgets.join(', ')}), so it cannot be evicted.`
    case 'pool-minimum':
    case 'above-threshold':
    case 'only-empty-nodes':
    case 'pod-does-not-fit':
    case 'pod-may-not-fit':
      return ''
  }
}

const annotationOf = ({ annotation }: Extract<Blocker, { code: 'pod-marked' }>) =>
  `${annotation}=${annotation === 'karpenter.sh/do-not-disrupt'}`

const of = ({ namespace, name }: PodName) => `${namespace}/${name}`
