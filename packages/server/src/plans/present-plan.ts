import type { Plan, PlanStep, PlanStepMember, UnsafeNow } from '@plimsoll/contract'
import { unsafeShownMax } from '@plimsoll/contract'
import { decimal, groupBy, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { Caller } from '../platform/auth/caller.ts'
import { presentReference, shownTitle, type StepRow } from '../recommendations/index.ts'
import type { MemberRow, PlanRow, UnsafeRow } from './queries/plans.ts'
import { stepActionsFrom, stepStatus, type StatusCounts } from './step-status.ts'

export type PlannedCluster = { id: string; name: string; runRate: Decimal | null }

/** The plan of one cluster as the caller sees it. */
export type LoadedPlan = { cluster: PlannedCluster; plan: PlanRow | undefined; steps: readonly LoadedStep[] }

export type LoadedStep = { step: StepRow; counts: StatusCounts; members: readonly MemberRow[] }

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

export function presentStep({ step, counts, members }: LoadedStep, cluster: PlannedCluster, caller: Caller): PlanStep {
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
    capacity_value: roundToNumber(isWhole ? decimal(step.capacity_value) : estimatesOf(members)),
    risk: step.risk,
    effort: isWhole ? presentEffort(step) : visibleEffort(members),
    nodes: isWhole ? step.nodes.map(presentNode) : [],
    status: stepStatus(counts),
    allowed_actions: caller.permissions.has('recommendations:write') ? stepActionsFrom(counts) : [],
    changes: step.visible,
    recommendations: members.map(presentMember),
    created_at: step.created_at.toISOString(),
  }
}

const presentEffort = ({ effort }: StepRow): PlanStep['effort'] => ({
  workloads: effort.workloads,
  teams: [...effort.teams],
  pods_restarted: effort.podsRestarted,
  stateful_sets_restarted: effort.statefulSetsRestarted,
})

const visibleEffort = (members: readonly MemberRow[]): PlanStep['effort'] => ({
  workloads: new Set(members.map(({ namespace, workload_kind, workload_name }) => `${namespace}/${workload_kind}/${workload_name}`)).size, // prettier-ignore
  teams: [],
  pods_restarted: null,
  stateful_sets_restarted: null,
})

const estimatesOf = (members: readonly MemberRow[]): Decimal =>
  members.reduce((sum, { estimated_savings: usd }) => (Number(usd) > 0 ? sum + decimal(usd) : sum), 0n)

const presentNode = ({ name, pool, usdPerMonth, replacedBy }: StepRow['nodes'][number]): PlanStep['nodes'][number] => ({
  name,
  pool,
  savings: roundToNumber(decimal(usdPerMonth)),
  replaced_by: replacedBy,
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

/** `steps` in the order of the response: the first protect step is the one to open. */
export function presentUnsafe(rows: readonly UnsafeRow[], steps: readonly StepRow[], caller: Caller): UnsafeNow {
  const workloads = [...groupBy(rows, workloadOf).values()].map(([first]) => first).filter((row) => row !== undefined)
  const count = (kind: UnsafeRow['kind']) => new Set(rows.filter((row) => row.kind === kind).map(workloadOf)).size
  const protect = steps.find(({ kind, visible }) => kind === 'protect' && visible > 0)
  return {
    workloads: workloads.length,
    oom_killed: count('oom_killed'),
    throttled: count('throttled'),
    crash_looping: count('crash_looping'),
    examples: workloads.slice(0, unsafeShownMax).map((row) => ({
      recommendation_id: row.recommendation_id,
      cluster_id: row.cluster_id,
      kind: row.kind,
      namespace: row.namespace,
      name: row.workload_name,
      title: row.title,
    })),
    step: protect ? { ...presentReference(protect, caller.namespaces), cluster_id: protect.cluster_id } : null,
  }
}

const workloadOf = ({ cluster_id: id, namespace, workload_kind: kind, workload_name: name }: UnsafeRow) =>
  [id, namespace, kind, name].join('/')
