import type { Plan, PlanStep, PlanStepMember, UnsafeNow } from '@plimsoll/contract'
import { decimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { Caller } from '../platform/auth/caller.ts'
import { presentReference, shownTitle, type StepRow } from '../recommendations/index.ts'
import type { MemberRow, MemberSum, PlanRow } from './queries/plans.ts'
import type { UnsafeSum } from './queries/unsafe.ts'
import { stepActionsFrom, stepStatus, type StatusCounts } from './step-status.ts'

export type PlannedCluster = { id: string; name: string; runRate: Decimal | null }

/** The plan of one cluster as the caller sees it. */
export type LoadedPlan = { cluster: PlannedCluster; plan: PlanRow | undefined; steps: readonly LoadedStep[] }

export type LoadedStep = {
  step: StepRow
  counts: StatusCounts
  /** Undefined: no recommendation of the step is left. */
  sum: MemberSum | undefined
  members: readonly MemberRow[]
}

type Header = Pick<
  Plan,
  | 'cluster_id'
  | 'cluster_name'
  | 'analysed_at'
  | 'run_rate'
  | 'run_rate_after'
  | 'savings'
  | 'is_complete'
  | 'bounds'
  | 'reason'
>

export function presentHeader({ cluster, plan, steps }: LoadedPlan, caller: Caller): Header {
  const savings = steps.reduce((sum, { step }) => sum + savingsOf(step, caller), 0n)
  const now = runRateOf({ cluster, plan, steps }, caller)
  return {
    cluster_id: cluster.id,
    cluster_name: cluster.name,
    analysed_at: plan?.analysed_at?.toISOString() ?? null,
    run_rate: shown(now),
    run_rate_after: shown(now === null ? null : now - savings),
    savings: roundToNumber(savings),
    is_complete: plan?.is_complete ?? true,
    bounds: plan?.bounds ?? [],
    reason: steps.length > 0 ? null : whyEmpty(plan),
  }
}

/**
 * From the analysis that made the plan; without steps, the newest. A limited role does not see the cost of the whole
 * cluster.
 */
export function runRateOf({ cluster, plan }: LoadedPlan, { namespaces }: Caller): Decimal | null {
  if (namespaces !== null) return null
  return plan?.run_rate === undefined || plan.run_rate === null ? cluster.runRate : decimal(plan.run_rate)
}

/** A role limited to namespaces sees the shares of its recommendations. */
export const savingsOf = ({ savings, visible_share: share }: StepRow, { namespaces }: Caller): Decimal =>
  decimal(namespaces === null ? savings : share)

function whyEmpty(plan: PlanRow | undefined): Plan['reason'] {
  if (!plan) return { code: 'not_analysed', detail: 'The cluster has not been analyzed yet.' }
  if (plan.analysed_at === null) {
    const detail = 'The agent does not report scheduling constraints yet, so no step can be computed.'
    return { code: 'no_scheduling_facts', detail }
  }
  return { code: 'nothing_to_do', detail: 'No open recommendation is part of a plan.' }
}

export function presentStep(loaded: LoadedStep, cluster: PlannedCluster, caller: Caller): PlanStep {
  const { step, counts, sum, members } = loaded
  const isWhole = caller.namespaces === null
  const before = isWhole ? nullable(step.run_rate_before) : null
  return {
    id: step.step_id,
    cluster_id: step.cluster_id,
    cluster_name: cluster.name,
    number: step.position,
    kind: step.kind,
    title: shownTitle(step),
    savings: roundToNumber(savingsOf(step, caller)),
    run_rate_before: shown(before),
    run_rate_after: shown(before === null ? null : before - decimal(step.savings)),
    capacity_value: roundToNumber(decimal(isWhole ? step.capacity_value : (sum?.freed ?? '0'))),
    capacity_used: roundToNumber(decimal(sum?.used ?? '0')),
    risk: isWhole ? step.risk : (sum?.risk ?? 'low'),
    risk_reason: riskReason(sum),
    effort: isWhole ? presentEffort(step) : visibleEffort(sum),
    nodes: isWhole ? step.nodes.map(presentNode) : [],
    runnable: { manifests: sum?.manifests ?? 0, commands: sum?.commands ?? 0 },
    status: stepStatus(counts),
    allowed_actions: caller.permissions.has('recommendations:write') ? stepActionsFrom(counts) : [],
    changes: step.counted,
    changes_applied: step.visible - step.counted,
    recommendations: members.map(presentMember),
    created_at: step.created_at.toISOString(),
  }
}

const presentEffort = ({ effort }: StepRow): PlanStep['effort'] => ({
  workloads: effort.workloads,
  teams: [...effort.teams],
  pods_restarted: effort.podsRestarted,
  pods_moved: effort.podsMoved ?? null,
  stateful_sets_restarted: effort.statefulSetsRestarted,
})

const visibleEffort = (sum: MemberSum | undefined): PlanStep['effort'] => ({
  workloads: sum?.workloads ?? 0,
  teams: [],
  pods_restarted: null,
  pods_moved: null,
  stateful_sets_restarted: null,
})

function riskReason(sum: MemberSum | undefined): PlanStep['risk_reason'] {
  const { recommendation_id = '', name = '', reason = null } = sum?.riskiest ?? {}
  return reason === null ? null : { recommendation_id, name, reason }
}

const presentNode = (node: StepRow['nodes'][number]): PlanStep['nodes'][number] => ({
  name: node.name,
  pool: node.pool,
  instance_type: node.instanceType ?? null,
  savings: roundToNumber(decimal(node.usdPerMonth)),
  replaced_by: node.replacedBy,
})

const presentMember = (row: MemberRow): PlanStepMember => ({
  id: row.id,
  title: row.title,
  rule_id: row.rule_id,
  namespace: row.namespace,
  workload:
    row.workload_kind === null || row.workload_name === null
      ? null
      : { kind: row.workload_kind, name: row.workload_name },
  container: row.container ?? '',
  change: row.change,
  status: row.status,
  severity: row.severity,
  risk: row.risk,
  estimated_savings: Number(row.estimated_savings),
  bankable_savings: row.bankable_savings === null ? null : roundToNumber(decimal(row.share)),
})

const nullable = (usd: string | null): Decimal | null => (usd === null ? null : decimal(usd))

export const shown = (usd: Decimal | null): number | null => (usd === null ? null : roundToNumber(usd))

export const presentUnsafe = (
  { workloads, by_kind: count, examples, step: found }: UnsafeSum,
  step: StepRow | undefined,
  caller: Caller,
): UnsafeNow => ({
  workloads,
  oom_killed: count.oom_killed ?? 0,
  throttled: count.throttled ?? 0,
  crash_looping: count.crash_looping ?? 0,
  regressed: count.regressed ?? 0,
  examples,
  step: step
    ? {
        ...presentReference(step, caller.namespaces),
        cluster_id: step.cluster_id,
        failing_workloads: found?.failing_workloads ?? 0,
      }
    : null,
})
