import type { DisruptionBudget, PackingPod } from './cluster.ts'
import { append, Targets } from './targets.ts'

/** The budgets that watch over each pod, by the pod's number. */
export function budgetsOfPods(
  pods: readonly PackingPod[],
  budgets: readonly DisruptionBudget[],
): Map<number, DisruptionBudget[]> {
  const targets = new Targets()
  const byTarget = new Map<number, DisruptionBudget[]>()
  for (const budget of budgets) {
    const { namespace, selector } = budget
    const target = selector ? targets.idOf({ selector }, namespace) : undefined
    if (target !== undefined) append(byTarget, target, budget)
  }
  const ofPods = new Map<number, DisruptionBudget[]>()
  if (byTarget.size === 0) return ofPods
  pods.forEach(({ namespace, labels }, pod) => {
    const own = targets.listMatching(namespace, labels).flatMap((target) => byTarget.get(target) ?? [])
    if (own.length > 0) ofPods.set(pod, own)
  })
  return ofPods
}
