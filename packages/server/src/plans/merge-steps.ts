import type { PlanStep } from '@plimsoll/contract'
import { groupBy } from '@plimsoll/engine'
import { pointsOfStep } from '@plimsoll/engine/plan'

type Weighed = Pick<PlanStep, 'cluster_id' | 'kind' | 'savings' | 'risk' | 'effort' | 'changes'>

const pointsOf = ({ effort, risk, changes }: Weighed): number =>
  pointsOfStep({
    workloads: effort.workloads,
    changes,
    teams: effort.teams.length,
    statefulSetsRestarted: effort.stateful_sets_restarted ?? 0,
    risk,
  })

/**
 * The highest savings per effort that the first steps of a cluster reach together: a good step justifies the steps
 * before it.
 */
function valueOf(steps: readonly Weighed[]): number {
  if (steps[0]?.kind === 'protect') return Infinity
  let savings = 0
  let effort = 0
  let best = -Infinity
  for (const step of steps) {
    savings += step.savings
    effort += pointsOf(step)
    best = Math.max(best, savings / effort)
  }
  return best
}

/** Protect steps first, then the highest savings per effort, up to a limit. The steps of a cluster keep their order. */
export function mergeSteps<Step extends Weighed>(steps: readonly Step[], limit: number): Step[] {
  const queues = [...groupBy(steps, (step) => step.cluster_id).values()].map((own) => ({ own, value: valueOf(own) }))
  const merged: Step[] = []
  while (merged.length < Math.min(limit, steps.length)) {
    const best = queues.reduce((a, b) => (b.own.length > 0 && (a.own.length === 0 || b.value > a.value) ? b : a))
    const [next, ...rest] = best.own
    if (!next) break
    merged.push(next)
    best.own = rest
    best.value = valueOf(rest)
  }
  return merged
}
