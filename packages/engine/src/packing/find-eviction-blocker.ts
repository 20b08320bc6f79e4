import { compare } from '../apportion.ts'
import type { DisruptionBudget, PackingPod, PackingPool } from './cluster.ts'
import type { Blocker, PodName } from './blocker.ts'
import { SYSTEM_NAMESPACE } from './delicate-pods.ts'
import { known, type State } from './state.ts'

/** The first pod, by uid, that the autoscaler of the pool may not evict. */
export function findEvictionBlocker(state: State, pool: PackingPool, pods: readonly number[]): Blocker | undefined {
  const { isDelicate: delicate } = state.model
  if (!pods.some((pod) => delicate[pod] === 1)) return undefined
  const inOrder = pods.filter((pod) => delicate[pod] === 1).sort((a, b) => a - b)
  for (const number of inOrder) {
    const pod = known(state.model.pods[number])
    const leaves = state.model.leavesWithNode[number] === 1
    const blocker =
      findBlockingAnnotation(pod, pool, leaves) ?? (leaves ? undefined : findOwnBlocker(state, pod, number, pool))
    if (blocker) return blocker
  }
  return findDisruptionBudgetBlocker(state, pool, inOrder)
}

/** Each autoscaler honors its own annotation. A manual drain honors all of them. */
function findBlockingAnnotation(pod: PackingPod, { kind }: PackingPool, leavesWithNode: boolean): Blocker | undefined {
  // With Karpenter, pods of DaemonSets can block a node; with the cluster-autoscaler they cannot.
  if (pod.doNotDisrupt && kind !== 'cluster-autoscaler') {
    return { code: 'pod-marked', pod: nameOf(pod), annotation: 'karpenter.sh/do-not-disrupt' }
  }
  if (pod.safeToEvict === false && kind !== 'karpenter' && !leavesWithNode) {
    return { code: 'pod-marked', pod: nameOf(pod), annotation: 'cluster-autoscaler.kubernetes.io/safe-to-evict' }
  }
  return undefined
}

function findOwnBlocker(state: State, pod: PackingPod, number: number, { kind }: PackingPool): Blocker | undefined {
  if (pod.safeToEvict && kind !== 'karpenter') return undefined
  if (pod.owner === 'none') return { code: 'bare-pod', pod: nameOf(pod) }
  if (kind === 'karpenter') return undefined
  if (pod.localStorage) return { code: 'local-storage', pod: nameOf(pod) }
  const isSystem = kind === 'cluster-autoscaler' && pod.namespace === SYSTEM_NAMESPACE
  return isSystem && !state.model.disruptionBudgetsOf[number] ? { code: 'system-pod', pod: nameOf(pod) } : undefined
}

/**
 * The cluster-autoscaler evicts all pods of a node at once, so the budget must allow all of them. Karpenter and users
 * evict one pod after the other, so one allowed disruption is enough. The eviction API rejects pods with two budgets.
 * Only running pods count.
 */
function findDisruptionBudgetBlocker(
  state: State,
  { kind }: PackingPool,
  pods: readonly number[],
): Blocker | undefined {
  const { disruptionBudgetsOf, leavesWithNode } = state.model
  const watched = new Map<DisruptionBudget, { first: number; count: number }>()
  for (const number of pods) {
    const pod = known(state.model.pods[number])
    const disruptionBudgets = leavesWithNode[number] === 1 || pod.isAbsent ? undefined : disruptionBudgetsOf[number]
    if (!disruptionBudgets) continue
    if (disruptionBudgets.length > 1) {
      const names = disruptionBudgets.map(({ name }) => name).sort(compare)
      return { code: 'several-budgets', pod: nameOf(pod), disruptionBudgets: names }
    }
    for (const disruptionBudget of disruptionBudgets) {
      const own = watched.get(disruptionBudget)
      if (own) own.count += 1
      else watched.set(disruptionBudget, { first: number, count: 1 })
    }
  }
  for (const [{ name, disruptionsAllowed }, { first, count }] of watched) {
    if (disruptionsAllowed >= (kind === 'cluster-autoscaler' ? count : 1)) continue
    const pod = nameOf(known(state.model.pods[first]))
    return { code: 'disruption-budget', pod, disruptionBudget: name, disruptionsAllowed, pods: count }
  }
  return undefined
}

export const nameOf = ({ namespace, name }: PackingPod): PodName => ({ namespace, name })
