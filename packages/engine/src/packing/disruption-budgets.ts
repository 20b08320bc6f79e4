import type { DisruptionBudget, PackingPod } from './cluster.ts'
import { append, Targets } from './targets.ts'

/** The budgets that watch over each pod, by the pod's number; nothing for pods without any. */
export type BudgetsOf = readonly (readonly DisruptionBudget[] | undefined)[]

export function budgetsOfPods(pods: readonly PackingPod[], budgets: readonly DisruptionBudget[]): BudgetsOf {
  const targets = new Targets()
  const byTarget = new Map<number, DisruptionBudget[]>()
  for (const budget of budgets) {
    const { namespace, selector } = budget
    const target = selector ? targets.idOf({ selector }, namespace) : undefined
    if (target !== undefined) append(byTarget, target, budget)
  }
  if (byTarget.size === 0) return []
  return pods.map(({ namespace, labels }) => {
    const own = targets.listMatching(namespace, labels)
    return own.length > 0 ? own.flatMap((target) => byTarget.get(target) ?? []) : undefined
  })
}
