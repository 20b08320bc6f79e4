import type { Plan, PlanList, PlanStep, UnsafeNow } from '@plimsoll/contract'

/** A step with its place on the page. */
export type ShownStep = PlanStep & {
  place: number
  /** The cluster is large, so its steps were checked in few placements of the scheduler. */
  hasFewChecks: boolean
}

/** The plan of one cluster and the plans of all clusters, as the page shows both. */
export type ShownPlan = {
  run_rate: number | null
  run_rate_after: number | null
  savings: number
  is_complete: boolean
  unsafe: UnsafeNow
  steps: readonly ShownStep[]
  left_out: PlanList['left_out']
  clusters: number
  /** The oldest analysis among the clusters. */
  analysed_at: string | null
  /** Clusters whose plan has no steps, with the reason. */
  without: readonly { name: string; detail: string; code: NonNullable<Plan['reason']>['code'] }[]
}

type Header = Pick<Plan, 'cluster_name' | 'reason'>

const hasFewChecks = ({ bounds }: Pick<Plan, 'bounds'>) => bounds.includes('few-placements-tried')

const withoutSteps = (headers: readonly Header[]) =>
  headers.flatMap(({ cluster_name: name, reason }) => (reason ? [{ name, ...reason }] : []))

export const shownPlan = (plan: Plan): ShownPlan => ({
  ...plan,
  steps: plan.steps.map((step) => ({ ...step, place: step.number, hasFewChecks: hasFewChecks(plan) })),
  left_out: { steps: 0, savings: 0 },
  clusters: 1,
  without: withoutSteps([plan]),
})

export const shownPlans = (list: PlanList): ShownPlan => ({
  ...list,
  steps: list.steps.map((step) => ({
    ...step,
    hasFewChecks: list.clusters.some((cluster) => cluster.cluster_id === step.cluster_id && hasFewChecks(cluster)),
  })),
  clusters: list.clusters.length,
  analysed_at: list.clusters.flatMap(({ analysed_at: at }) => at ?? []).sort()[0] ?? null,
  without: withoutSteps(list.clusters),
})
