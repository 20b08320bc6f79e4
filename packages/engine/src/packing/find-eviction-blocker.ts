import { compare } from '../apportion.ts'
import type { DisruptionBudget, PackingPod, PackingPool } from './cluster.ts'
import type { Blocker, PodName } from './blocker.ts'
import { known, type State } from './state.ts'

/** Pods that end with their node and that nobody needs to place again. */
export function leavesWithNode({ owner }: PackingPod): boolean {
  return owner === 'daemonset' || owner === 'static'
}

/** The first pod, in the order of their uids, that whoever scales the pool may not evict. */
export function findEvictionBlocker(state: State, pool: PackingPool, pods: readonly number[]): Blocker | undefined {
  const inOrder = [...pods].sort((a, b) => a - b)
  for (const number of inOrder) {
    const pod = known(state.model.pods[number])
    const blocker = findMark(pod, pool) ?? (leavesWithNode(pod) ? undefined : findOwnBlocker(state, pod, number, pool))
    if (blocker) return blocker
  }
  return findBudgetBlocker(state, pool, inOrder)
}

/** Each scaler honours its own mark; by hand, somebody's word counts whichever way it was said. */
function findMark(pod: PackingPod, { kind }: PackingPool): Blocker | undefined {
  // Karpenter lets pods of DaemonSets hold a node, the cluster-autoscaler does not.
  if (pod.doNotDisrupt && kind !== 'cluster-autoscaler') {
    return { code: 'pod-marked', pod: nameOf(pod), mark: 'karpenter.sh/do-not-disrupt' }
  }
  if (pod.safeToEvict === false && kind !== 'karpenter' && !leavesWithNode(pod)) {
    return { code: 'pod-marked', pod: nameOf(pod), mark: 'cluster-autoscaler.kubernetes.io/safe-to-evict' }
  }
  return undefined
}

function findOwnBlocker(state: State, pod: PackingPod, number: number, { kind }: PackingPool): Blocker | undefined {
  if (pod.safeToEvict && kind !== 'karpenter') return undefined
  if (pod.owner === 'none') return { code: 'bare-pod', pod: nameOf(pod) }
  if (kind === 'karpenter') return undefined
  if (pod.localStorage) return { code: 'local-storage', pod: nameOf(pod) }
  const isSystem = kind === 'cluster-autoscaler' && pod.namespace === 'kube-system'
  return isSystem && !state.model.budgetsOf.has(number) ? { code: 'system-pod', pod: nameOf(pod) } : undefined
}

/**
 * The cluster-autoscaler evicts a node's pods at once, so the budget must allow all of them. Karpenter and people wait for
 * each pod to run again before they take the next, so one at a time is enough. The eviction API refuses pods with two budgets.
 */
function findBudgetBlocker(state: State, { kind }: PackingPool, pods: readonly number[]): Blocker | undefined {
  const watched = new Map<DisruptionBudget, number[]>()
  for (const number of pods) {
    const pod = known(state.model.pods[number])
    const budgets = leavesWithNode(pod) ? [] : (state.model.budgetsOf.get(number) ?? [])
    if (budgets.length > 1) {
      return { code: 'several-budgets', pod: nameOf(pod), budgets: budgets.map(({ name }) => name).sort(compare) }
    }
    for (const budget of budgets) watched.set(budget, [...(watched.get(budget) ?? []), number])
  }
  for (const [budget, own] of watched) {
    const wanted = kind === 'cluster-autoscaler' ? own.length : 1
    if (budget.disruptionsAllowed >= wanted) continue
    const { name, disruptionsAllowed } = budget
    const pod = nameOf(known(state.model.pods[own[0] ?? -1]))
    return { code: 'disruption-budget', pod, budget: name, disruptionsAllowed, pods: own.length }
  }
  return undefined
}

export const nameOf = ({ namespace, name }: PackingPod): PodName => ({ namespace, name })
