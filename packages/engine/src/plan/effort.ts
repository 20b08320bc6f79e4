import { compare } from '../apportion.ts'
import { LEVELS, type Level } from '../rules/finding.ts'
import type { PlanItem, StepEffort } from './plan.ts'

const RISK_POINTS: Readonly<Record<Level, number>> = { low: 0, medium: 0.5, high: 2 }
const STATEFUL_POINTS = 3

/** The effort of one change, relative to others: lower values are chosen first. */
export const pointsOf = ({ risk, isStateful }: Pick<PlanItem, 'risk' | 'isStateful'>): number =>
  1 + RISK_POINTS[risk] + (isStateful ? STATEFUL_POINTS : 0)

/** The effort of a step: each workload and each team counts once. */
export function pointsOfStep(items: readonly PlanItem[]): number {
  const byWorkload = new Map<string, number>()
  for (const item of items) {
    const key = item.workload || item.key
    byWorkload.set(key, Math.max(byWorkload.get(key) ?? 0, pointsOf(item)))
  }
  const teams = new Set(items.map(({ team }) => team)).size
  return [...byWorkload.values()].reduce((sum, points) => sum + points, teams)
}

type Pods = Pick<StepEffort, 'podsRestarted' | 'podsMoved'>

export function effortOf(items: readonly PlanItem[], pods: Pods): StepEffort {
  const workloads = new Set(items.map(({ workload }) => workload).filter((workload) => workload !== ''))
  const stateful = items.filter(({ isStateful }) => isStateful).map(({ workload }) => workload)
  return {
    workloads: workloads.size,
    teams: [...new Set(items.map(({ team }) => team).filter((team) => team !== ''))].sort(compare),
    ...pods,
    statefulSetsRestarted: new Set(stateful).size,
  }
}

/** The largest of all. */
export const riskOf = (items: readonly Pick<PlanItem, 'risk'>[]): Level =>
  LEVELS.findLast((level) => items.some(({ risk }) => risk === level)) ?? 'low'
