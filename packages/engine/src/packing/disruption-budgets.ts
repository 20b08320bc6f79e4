import type { DisruptionBudget, PackingPod } from './cluster.ts'
import { append, Targets } from './targets.ts'

/** The budgets that select each pod, by pod number; undefined for pods without any. */
export type DisruptionBudgetsOf = readonly (readonly DisruptionBudget[] | undefined)[]

export function disruptionBudgetsOfPods(
  pods: readonly PackingPod[],
  disruptionBudgets: readonly DisruptionBudget[],
): DisruptionBudgetsOf {
  const targets = new Targets()
  const byTarget = new Map<number, DisruptionBudget[]>()
  for (const disruptionBudget of disruptionBudgets) {
    const { namespace, selector } = disruptionBudget
    const target = selector ? targets.idOf({ selector }, namespace) : undefined
    if (target !== undefined) append(byTarget, target, disruptionBudget)
  }
  if (byTarget.size === 0) return []
  return pods.map(({ namespace, labels }) => {
    const own = targets.listMatching(namespace, labels)
    return own.length > 0 ? own.flatMap((target) => byTarget.get(target) ?? []) : undefined
  })
}
