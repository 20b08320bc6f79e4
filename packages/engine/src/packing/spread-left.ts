import { groupBy } from '../group-by.ts'
import type { Blocker } from './blocker.ts'
import { ZONE_LABEL } from './cluster.ts'
import { known, type State } from './state.ts'

/** The spread of the pods of a workload; no zones: not reported. */
export type SpreadLeft = { readonly pods: number; readonly nodes: number; readonly zones: number }

/** For each budget blocker, the spread of its workload in the current state; undefined for other blockers. */
export function spreadLeft(state: State, blockers: readonly Blocker[]): (SpreadLeft | undefined)[] {
  if (!blockers.some(isDisruptionBudget)) return blockers.map(() => undefined)
  const { pods } = state.model
  const here = pods.flatMap((pod, index) => (pod.isAbsent ? [] : [{ pod, at: state.nodeOf[index] ?? -1 }]))
  const workloadOf = new Map(here.map(({ pod }) => [`${pod.namespace}/${pod.name}`, pod.workload]))
  const byWorkload = groupBy(here, ({ pod }) => pod.workload)
  return blockers.map((blocker) => {
    if (!isDisruptionBudget(blocker)) return undefined
    const own = byWorkload.get(workloadOf.get(`${blocker.pod.namespace}/${blocker.pod.name}`) ?? '') ?? []
    return spreadOf(
      state,
      own.flatMap(({ at }) => (at < 0 ? [] : [at])),
    )
  })
}

type DisruptionBudgetBlocker = Extract<Blocker, { code: 'disruption-budget' | 'several-budgets' }>

const isDisruptionBudget = (blocker: Blocker): blocker is DisruptionBudgetBlocker =>
  blocker.code === 'disruption-budget' || blocker.code === 'several-budgets'

function spreadOf({ model }: State, at: readonly number[]): SpreadLeft {
  const zones = at.flatMap((node) => known(model.nodes[node]).labels[ZONE_LABEL] ?? [])
  return { pods: at.length, nodes: new Set(at).size, zones: new Set(zones).size }
}
