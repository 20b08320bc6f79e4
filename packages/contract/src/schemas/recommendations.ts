import {
  CATEGORIES,
  CHANGE_ACTIONS,
  REGRESSIONS,
  SEVERITIES,
  STEP_KINDS,
  VERIFICATIONS,
} from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { Evidence, Level } from './evidence.ts'

export const recommendationStatuses = [
  'pending',
  'approved',
  'rejected',
  'implemented',
  'superseded',
  'resolved',
  'expired',
] as const
export type RecommendationStatus = (typeof recommendationStatuses)[number]

export const recommendationActions = ['approve', 'reject', 'apply', 'reopen', 'snooze', 'withdraw'] as const
export type RecommendationAction = (typeof recommendationActions)[number]

export const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) })

export const Status = oneOf(
  recommendationStatuses,
  '`implemented`: marked as implemented · `resolved`: observed in the cluster without being marked · `superseded`: replaced by a newer one · `expired`: no longer applies',
)

export const Category = oneOf(CATEGORIES)
export const Severity = oneOf(
  SEVERITIES,
  'By bankable savings relative to the cluster cost: low without bankable savings, critical if pods are OOM-killed',
)

export const Action = oneOf(recommendationActions)

/** `{}` if the object is not a container. */
const Spec = (description: string) =>
  Type.Unsafe<ContainerQuantities>({
    type: 'object',
    description,
    properties: { cpu_request: { type: 'string' }, memory_request: { type: 'string' } },
    additionalProperties: true,
    examples: [{ cpu_request: '250m', memory_request: '512Mi' }],
  })

export type ContainerQuantities = { cpu_request?: string; memory_request?: string }

export const ObjectReference = Type.Object({
  kind: Type.String(),
  namespace: Type.String({ description: 'Empty for cluster-scoped objects' }),
  name: Type.String(),
  container: Type.String({ description: 'Empty if the whole object is affected' }),
})

export const RecommendedChange = Type.Object(
  {
    action: oneOf(CHANGE_ACTIONS),
    object: ObjectReference,
    summary: Type.String({ description: 'Change to make, for display' }),
    fields: Type.Array(
      Type.Object({ path: Type.String(), from: Nullable(Type.String()), to: Nullable(Type.String()) }),
    ),
  },
  { title: 'RecommendedChange', description: 'Change to make' },
)

const Drift = Type.Object(
  {
    at: Timestamp,
    kind: oneOf(['differs', 'no_longer_found']),
    recommended_spec: Spec('Current proposal'),
    estimated_savings: Money('USD per month, for the current proposal'),
  },
  { title: 'Drift', description: 'Result of a later analysis for an approved recommendation, whose content is frozen' },
)

export const failureCounts = {
  hours: Type.Number({ description: 'Observed hours' }),
  oom_kills: Type.Integer(),
  restarts: Type.Integer(),
  throttled: Nullable(Type.Number({ minimum: 0, maximum: 1 }), 'Share of throttled CPU periods; null: not reported'),
}

const Watch = Type.Object(
  {
    until: Timestamp,
    before: Type.Object(failureCounts, { description: 'Up to seven days before the change' }),
    since: Type.Object(failureCounts, { description: 'Since the change, without the hour of the rollout' }),
    regressions: Type.Array(oneOf(REGRESSIONS), { description: 'Failures that increased; empty if none' }),
  },
  {
    title: 'ChangeWatch',
    description:
      'Failures of the container before and after the change, compared for seven days. Readiness and latency are not measured',
  },
)

const VerificationDetail = Type.Object(
  {
    observed_at: Nullable(Timestamp, 'When the change was first observed; null: not yet'),
    checked_at: Timestamp,
    live_spec: Spec('Last observed values'),
    observed_savings: Nullable(
      Money(),
      'USD per month, from the last observation: 0 while the change is not in place; null: not recorded',
    ),
    realised_savings: Money('Realized savings since then'),
    message: Type.String(),
    watch: Type.Optional(
      Nullable(Watch, 'Null: the change is not observed yet, or changes no requests. Absent: not recorded'),
    ),
  },
  { title: 'VerificationDetail' },
)

export const stepKind = oneOf(
  STEP_KINDS,
  '`protect`: requests or limits that are too small · `remove`: volumes, load balancers and other resources with their own price · `drain`: nodes that are removable with the current requests · `free`: the smallest set of changes that makes more nodes removable · `switch`: cheaper instance types · `rest`: changes that remove no node now',
)

export const PlanStepReference = Type.Object(
  {
    id: Type.String({ examples: ['stp_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    number: Type.Integer({ description: 'Place in the current plan of the cluster, from 1' }),
    of: Type.Integer({ description: 'Number of steps of the plan' }),
    kind: stepKind,
    title: Type.String(),
    savings: Money('USD per month of the whole step; negative: the step costs this amount'),
    others: Type.Integer({ description: 'Number of other recommendations of the step that the caller can see' }),
    nodes: Type.Array(Type.String(), {
      description: 'Nodes that the step removes or replaces; hidden from a role limited to namespaces',
    }),
  },
  { title: 'PlanStepReference' },
)

const fields = {
  id: Type.String({ examples: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }),
  cluster_id: Type.String(),
  title: Type.String(),
  rule_id: Type.String(),
  rule_name: Type.Optional(Type.String({ description: 'Short name of the rule', examples: ['Over-provisioned'] })),
  category: Category,
  severity: Severity,
  estimated_savings: Money('USD per month, from the freed requests'),
  bankable_savings: Nullable(
    Money(),
    'USD per month: its share of the plan step; constant while the step is in the plan. The shares of a step add up to its savings. A share can exceed the estimate, because removed nodes include unallocated capacity. Applied alone, a recommendation often removes no node; `POST /recommendations/preview` returns its savings alone. `bankable_because` explains the difference. Null: not computed',
  ),
  bankable_because: Nullable(
    Type.String(),
    'Why bankable and estimated savings differ; null: unknown for the current figure. `evidence.bankable_because` has the same text',
  ),
  currency: Type.String(),
  pod_name: Type.String({ description: 'A representative pod; empty without pods' }),
  namespace: Type.String({ description: 'Empty for cluster-scoped objects' }),
  workload: Nullable(
    Type.Object({ kind: Type.String(), name: Type.String(), container: Type.String() }),
    'Null if the object is not a workload',
  ),
  volume_claim: Nullable(
    Type.String({ examples: ['shop/data'] }),
    'Namespace and name of the current or last claim of the volume; null without a volume or claim',
  ),
  status: Status,
  current_spec: Spec('Current values; `{}` if the object is not a container'),
  recommended_spec: Spec('Kubernetes quantities, including unchanged ones; `{}` if the object is not a container'),
  change: RecommendedChange,
  risk: Level,
  risk_reasons: Type.Array(Type.String(), {
    description: 'Why the risk is not low, in a few words each. Empty: no reason, or an older analysis',
  }),
  confidence: Level,
  verification: Nullable(oneOf(VERIFICATIONS), 'Verification after the change; null before'),
  verification_detail: Nullable(VerificationDetail, 'Result of the last verification; null before the first'),
  drift: Nullable(Drift),
  unconfirmed_since: Type.Optional(
    Nullable(
      Timestamp,
      'Time of the first analysis that could not confirm this pending recommendation; its content is older. Null: the last analysis confirmed it',
    ),
  ),
  plan_step: Type.Optional(
    Nullable(PlanStepReference, 'The step of the plan; null if the recommendation is in no step. In lists and details'),
  ),
  bundle_id: Nullable(Type.String(), 'Recommendations with the same ID concern one workload and roll out together'),
  snoozed_until: Nullable(Timestamp),
  allowed_actions: Type.Array(Action, {
    description: 'Actions that the status and the permissions of the caller allow',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  done_at: Nullable(Timestamp, 'When it was marked as implemented or observed; null before'),
}

export const Recommendation = Type.Object(fields, { title: 'Recommendation' })

const Deliverer = Type.Object(
  {
    tool: Type.Unsafe<'helm' | 'argocd' | 'flux'>({ type: 'string', enum: ['helm', 'argocd', 'flux'] }),
    kind: Type.Unsafe<'Release' | 'Application' | 'HelmRelease' | 'Kustomization'>({
      type: 'string',
      enum: ['Release', 'Application', 'HelmRelease', 'Kustomization'],
    }),
    namespace: Nullable(Type.String(), 'Null if the annotations do not name it'),
    name: Nullable(Type.String(), 'Null if the annotations do not name it'),
  },
  { title: 'Deliverer' },
)

export const RecommendationWithEvidence = Type.Object(
  {
    ...fields,
    evidence: Nullable(Evidence),
    delivered_by: Type.Optional(
      Type.Array(Deliverer, {
        description:
          'Tool that manages the workload, read from the labels and annotations of Helm, Argo CD and Flux. Absent if no such labels exist, or if the workload has no open recommendation.',
      }),
    ),
  },
  { title: 'RecommendationWithEvidence' },
)

export const MovedRecommendation = Type.Object(
  { ...fields, changed: Type.Boolean({ description: 'False: the recommendation already had this status' }) },
  { title: 'MovedRecommendation' },
)

export type PlanStepReference = Static<typeof PlanStepReference>
export type Deliverer = Static<typeof Deliverer>
export type Recommendation = Static<typeof Recommendation>
export type RecommendationWithEvidence = Static<typeof RecommendationWithEvidence>
export type RecommendedChange = Static<typeof RecommendedChange>
export type Drift = Static<typeof Drift>
export type VerificationDetail = Static<typeof VerificationDetail>
export type MovedRecommendation = Static<typeof MovedRecommendation>
