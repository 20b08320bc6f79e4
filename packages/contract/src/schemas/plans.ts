import { UNSAFE_KINDS } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'
import { Level } from './evidence.ts'
import { Money } from './money.ts'
import { oneOf, PlanStepReference, RecommendedChange, Severity, Status, stepKind } from './recommendations.ts'

export const stepStatuses = [
  'open',
  'partly_approved',
  'approved',
  'partly_implemented',
  'implemented',
  'rejected',
] as const
export type StepStatus = (typeof stepStatuses)[number]

export const stepActions = ['approve', 'reject', 'withdraw'] as const
export type StepAction = (typeof stepActions)[number]

/** Further recommendations of a step are counted, but not listed. */
export const stepMembersMax = 500

/** Further steps of several clusters are counted, but not listed. */
export const plannedStepsMax = 200

const onlyWhole = 'Null for a role limited to namespaces, and if the run rate is unknown'

const StepMember = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    rule_id: Type.String(),
    namespace: Type.String({ description: 'Empty for cluster-scoped objects' }),
    workload: Nullable(
      Type.Object({ kind: Type.String(), name: Type.String() }),
      'Null if the object is not a workload',
    ),
    container: Type.String({ description: 'Empty if the whole object is affected' }),
    change: RecommendedChange,
    status: Status,
    severity: Severity,
    risk: Level,
    estimated_savings: Money('USD per month, from the freed requests'),
    bankable_savings: Nullable(Money(), 'USD per month: its share of the step. Null: not computed'),
  },
  { title: 'PlanStepMember' },
)

const StepNode = Type.Object({
  name: Type.String(),
  pool: Type.String(),
  instance_type: Nullable(Type.String({ examples: ['m6i.4xlarge'] }), 'Null: unknown'),
  savings: Money('USD per month'),
  replaced_by: Nullable(Type.String(), 'The cheaper instance type that replaces the node; null: the node is removed'),
})

const stepFields = {
  id: Type.String({ examples: ['stp_01k3v7m9q2x4t6b8n0d2f4h6j8'], description: 'Stays the same in later plans' }),
  cluster_id: Type.String(),
  cluster_name: Type.String(),
  number: Type.Integer({ description: 'Position in the current plan of the cluster, from 1' }),
  kind: stepKind,
  title: Type.String({
    description: 'Title of the step. A role that does not see all its recommendations gets a general title',
  }),
  savings: Money(
    'Drop of the monthly bill (USD) after the earlier steps; negative if the step adds cost. For a role limited to namespaces: the shares of its recommendations',
  ),
  run_rate_before: Nullable(Money(), `USD per month, with all earlier steps applied. ${onlyWhole}`),
  run_rate_after: Nullable(Money(), `USD per month, with this step and all earlier steps applied. ${onlyWhole}`),
  capacity_value: Money('USD per month: value of the freed requests at node prices. Not a part of the bill'),
  capacity_used: Money('USD per month: value of the raised requests at node prices. Not a part of the bill'),
  risk: Level,
  risk_reason: Nullable(
    Type.Object({ recommendation_id: Type.String(), name: Type.String(), reason: Type.String() }),
    'The recommendation with the largest risk, the name of its object, and why the risk is not low. Null: no reason known',
  ),
  effort: Type.Object({
    workloads: Type.Integer(),
    teams: Type.Array(Type.String()),
    pods_restarted: Nullable(Type.Integer(), 'Null for a role limited to namespaces'),
    pods_moved: Nullable(
      Type.Integer(),
      'Pods of removed or replaced nodes that start on other nodes. Null for a role limited to namespaces, and if unknown',
    ),
    stateful_sets_restarted: Nullable(Type.Integer(), 'Null for a role limited to namespaces'),
  }),
  nodes: Type.Array(StepNode, { description: 'Nodes that the step removes or replaces; hidden from a role limited to namespaces' }), // prettier-ignore
  runnable: Type.Object(
    { manifests: Type.Integer(), commands: Type.Integer() },
    { description: 'Number of pending and approved recommendations with a manifest or commands' },
  ),
  status: oneOf(stepStatuses, 'From the status of the recommendations'),
  allowed_actions: Type.Array(oneOf(stepActions), {
    description: 'Actions allowed by the status and by the permissions of the caller',
  }),
  changes: Type.Integer({
    description: 'Number of recommendations that `savings` counts: those that were not applied before the analysis',
  }),
  changes_applied: Type.Optional(Type.Integer({ description: 'Number of recommendations that were applied before' })),
  recommendations: Type.Array(StepMember, {
    maxItems: stepMembersMax,
    description:
      'Highest estimated savings first, applied ones last. `changes` and `changes_applied` count all of them',
  }),
  created_at: Timestamp,
}

export const PlanStep = Type.Object(stepFields, { title: 'PlanStep' })

/** Further workloads are counted, but not listed. */
export const unsafeShownMax = 5

export const UnsafeNow = Type.Object(
  {
    workloads: Type.Integer({ description: 'Workloads with an open recommendation of any of these kinds' }),
    oom_killed: Type.Integer(),
    throttled: Type.Integer(),
    crash_looping: Type.Integer(),
    regressed: Type.Integer({ description: 'After an applied change' }),
    examples: Type.Array(
      Type.Object({
        recommendation_id: Type.String(),
        cluster_id: Type.String(),
        kind: oneOf(UNSAFE_KINDS),
        namespace: Type.String(),
        name: Type.String(),
        title: Type.String(),
      }),
      { maxItems: unsafeShownMax, description: 'OOM-killed first' },
    ),
    step: Nullable(
      Type.Object({
        ...PlanStepReference.properties,
        cluster_id: Type.String(),
        failing_workloads: Type.Integer({ description: 'How many of these workloads the step fixes' }),
      }),
      'The `protect` step with the most of these workloads, or the first `protect` step; null if there is none',
    ),
  },
  { title: 'UnsafeNow', description: 'Workloads that fail with their current requests and limits' },
)

export const planReasons = ['not_analysed', 'no_scheduling_facts', 'nothing_to_do'] as const

const planFields = {
  cluster_id: Type.String(),
  cluster_name: Type.String(),
  analysed_at: Nullable(Timestamp, 'Time of the analysis that made the plan; null without a plan'),
  run_rate: Nullable(Money(), `USD per month now. ${onlyWhole}`),
  run_rate_after: Nullable(Money(), `USD per month after all steps. ${onlyWhole}`),
  savings: Money('USD per month: total of all steps'),
  is_complete: Type.Boolean({ description: 'False: the search stopped at a limit; see `bounds`' }),
  bounds: Type.Array(Type.String({ examples: ['few-candidates-compared', 'few-placements-tried'] }), {
    description:
      'Limits of the plan. `few-candidates-compared`: not every removable node was compared before each step. `few-placements-tried`: the cluster has more than 20 nodes, so the steps were checked in few placements of the scheduler. `search-stopped`: the search used all its placements, so further nodes may be removable',
  }),
  reason: Nullable(
    Type.Object({ code: oneOf(planReasons), detail: Type.String() }),
    'Why the plan has no steps; null if the plan has steps',
  ),
}

export const Plan = Type.Object(
  {
    ...planFields,
    currency: Type.String(),
    unsafe: UnsafeNow,
    steps: Type.Array(PlanStep, { description: 'In the order to apply them' }),
  },
  { title: 'Plan' },
)

export const PlanList = Type.Object(
  {
    currency: Type.String(),
    run_rate: Nullable(Money(), `USD per month now, of all clusters. ${onlyWhole}`),
    run_rate_after: Nullable(Money(), `USD per month after all steps. ${onlyWhole}`),
    savings: Money('USD per month: total of all steps, including `left_out`'),
    is_complete: Type.Boolean({ description: 'False: a limit cut the search in at least one cluster' }),
    clusters: Type.Array(Type.Object({ ...planFields, steps: Type.Integer() }), {
      description: 'The clusters of the role, by name',
    }),
    unsafe: UnsafeNow,
    steps: Type.Array(
      Type.Object({
        ...stepFields,
        place: Type.Integer({ description: 'Position in this list, from 1' }),
      }),
      {
        maxItems: plannedStepsMax,
        description:
          'Highest savings per effort first. The steps of a cluster keep their order. The run rates are those of all clusters',
      },
    ),
    left_out: Type.Object(
      { steps: Type.Integer(), savings: Money('USD per month') },
      { description: 'Steps after those in the list' },
    ),
  },
  { title: 'PlanList' },
)

const summaryFields = {
  id: stepFields.id,
  cluster_id: stepFields.cluster_id,
  cluster_name: stepFields.cluster_name,
  number: stepFields.number,
  kind: stepFields.kind,
  title: stepFields.title,
  savings: stepFields.savings,
  run_rate_after: stepFields.run_rate_after,
  risk: stepFields.risk,
  effort: stepFields.effort,
  status: stepFields.status,
  changes: stepFields.changes,
}

export const PlanSummary = Type.Object(
  {
    run_rate: Nullable(Money(), 'USD per month now. Null: unknown'),
    run_rate_after: Nullable(Money(), 'USD per month after all steps. Null: unknown'),
    savings: Money('USD per month: total of all steps, including those after the list'),
    step_count: Type.Integer(),
    changes: Type.Integer({ description: 'Number of recommendations that `savings` counts' }),
    steps: Type.Array(
      Type.Object({ ...summaryFields, place: Type.Integer({ description: 'Position in this list, from 1' }) }),
      { maxItems: plannedStepsMax, description: 'In the order of `GET /plans`, or of the plan of the one cluster' },
    ),
  },
  { title: 'PlanSummary' },
)

export type PlanSummary = Static<typeof PlanSummary>
export type PlanStep = Static<typeof PlanStep>
export type PlanStepMember = Static<typeof StepMember>
export type UnsafeNow = Static<typeof UnsafeNow>
export type Plan = Static<typeof Plan>
export type PlanList = Static<typeof PlanList>
