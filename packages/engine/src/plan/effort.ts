import { compare } from '../apportion.ts'
import type { PlanItem, StepEffort } from './plan.ts'
import { LEVELS, type Level } from '../vocabulary/recommendations.ts'

const RISK_POINTS: Readonly<Record<Level, number>> = { low: 0, medium: 0.5, high: 2 }
const STATEFUL_POINTS = 3

/** The effort of one change, relative to others: lower values are chosen first. */
export const pointsOf = ({ risk, isStateful }: Pick<PlanItem, 'risk' | 'isStateful'>): number =>
  1 + RISK_POINTS[risk] + (isStateful ? STATEFUL_POINTS : 0)

/** The effort of a step, as far as its points depend on it. */
export type WeighedStep = {
  readonly workloads: number
  /** Counted if no workload changes, as for volumes and nodes. */
  readonly changes: number
  readonly teams: number
  readonly statefulSetsRestarted: number
  readonly risk: Level
}

/** The effort of a step in points: its workloads, its teams, its risk, and each StatefulSet that restarts. */
export const pointsOfStep = ({ workloads, changes, teams, statefulSetsRestarted, risk }: WeighedStep): number =>
  Math.max(1, workloads === 0 ? changes : workloads) +
  teams +
  RISK_POINTS[risk] +
  STATEFUL_POINTS * statefulSetsRestarted

export function pointsOfItems(items: readonly PlanItem[]): number {
  const { teams, ...effort } = effortOf(items, { podsRestarted: 0, podsMoved: 0 })
  return pointsOfStep({ ...effort, teams: teams.length, changes: items.length, risk: riskOf(items) })
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
