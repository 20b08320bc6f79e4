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

export const recommendationCategories = [
  'cpu_memory',
  'scaling',
  'node',
  'spot',
  'storage',
  'network',
  'gpu',
  'idle',
  'scheduling',
  'commitment',
  'reliability',
  'governance',
] as const
export type RecommendationCategory = (typeof recommendationCategories)[number]

export const severityNames = ['low', 'medium', 'high', 'critical'] as const
export type SeverityName = (typeof severityNames)[number]

export const verificationStates = ['awaiting', 'verified', 'partial', 'not_observed', 'reverted', 'regressed'] as const
export type VerificationState = (typeof verificationStates)[number]

export const recommendationActions = ['approve', 'reject', 'apply', 'reopen', 'snooze'] as const
export type RecommendationAction = (typeof recommendationActions)[number]

export const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) })

export const Status = oneOf(
  recommendationStatuses,
  '`implemented`: somebody has marked it as done · `resolved`: it was observed as done · `superseded`, `expired`: it no longer holds',
)

export const Category = oneOf(recommendationCategories)
const Severity = oneOf(
  severityNames,
  'By what can be banked now, relative to what the cluster costs: low where that is nothing, critical where pods are killed for lack of memory',
)

export const Action = oneOf(recommendationActions)

/** `{}` for what is no container. */
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
  namespace: Type.String({ description: 'Empty for what belongs to no namespace' }),
  name: Type.String(),
  container: Type.String({ description: 'Empty when it is about the whole object' }),
})

export const changeActions = [
  'set_requests',
  'set_limits',
  'set_labels',
  'set_replicas',
  'delete',
  'reconfigure',
  'investigate',
] as const

const RecommendedChange = Type.Object(
  {
    action: oneOf(changeActions),
    object: ObjectReference,
    summary: Type.String({ description: 'For people: what to do to what' }),
    fields: Type.Array(
      Type.Object({ path: Type.String(), from: Nullable(Type.String()), to: Nullable(Type.String()) }),
    ),
  },
  { title: 'RecommendedChange', description: 'What to do to what' },
)

const Drift = Type.Object(
  {
    at: Timestamp,
    kind: oneOf(['differs', 'no_longer_found']),
    recommended_spec: Spec('What it would say now'),
    estimated_savings: Money('A month, by what it would say now'),
  },
  { title: 'Drift', description: 'What a later analysis says about an approved one, whose content is frozen' },
)

const VerificationDetail = Type.Object(
  {
    observed_at: Nullable(Timestamp, 'When the cluster first showed the change; null: not yet'),
    checked_at: Timestamp,
    live_spec: Spec('As it was seen last'),
    observed_savings: Nullable(
      Money(),
      'A month, by what was seen at the last look: 0 while it is not there; null: last looked at before this was noted',
    ),
    realised_savings: Money('What was observed to be saved since'),
    message: Type.String(),
  },
  { title: 'VerificationDetail' },
)

const fields = {
  id: Type.String({ examples: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }),
  cluster_id: Type.String(),
  title: Type.String(),
  rule_id: Type.String(),
  rule_name: Type.Optional(Type.String({ description: 'Short name of the rule', examples: ['Over-provisioned'] })),
  category: Category,
  severity: Severity,
  estimated_savings: Money('A month, by what is asked for'),
  bankable_savings: Nullable(
    Money(),
    'A month: its share of the nodes that go when all open advice of the cluster is followed, never more than what the thing costs. It is more than the estimate where room goes with them that nobody had asked for. What this one frees alone is often nothing, because nodes go as a whole; `POST /recommendations/preview` with its id says it, and `bankable_because` says why the figures differ. Null: not computed',
  ),
  bankable_because: Nullable(
    Type.String(),
    'Why what leaves the bill is more or less than the estimate; null: not known of the present figure. It follows `bankable_savings`, and `evidence.bankable_because` repeats it',
  ),
  currency: Type.String(),
  pod_name: Type.String({ description: 'A representative pod; empty for what has none' }),
  namespace: Type.String({ description: 'Empty for what belongs to no namespace' }),
  workload: Nullable(
    Type.Object({ kind: Type.String(), name: Type.String(), container: Type.String() }),
    'Null for what is no workload',
  ),
  volume_claim: Nullable(
    Type.String({ examples: ['shop/data'] }),
    'Namespace and name of the claim that the volume it is about has or had; null for what is no volume, or has none',
  ),
  status: Status,
  current_spec: Spec('As it is; `{}` for what is no container'),
  recommended_spec: Spec('Kubernetes quantities; what stays is repeated. `{}` for what is no container'),
  change: RecommendedChange,
  risk: Level,
  confidence: Level,
  verification: Nullable(oneOf(verificationStates), 'After it was applied; null before'),
  verification_detail: Nullable(VerificationDetail, 'What the last look found; null before the first'),
  drift: Nullable(Drift),
  bundle_id: Nullable(Type.String(), 'Joins those of one workload, which roll out together'),
  snoozed_until: Nullable(Timestamp),
  allowed_actions: Type.Array(Action),
  created_at: Timestamp,
  updated_at: Timestamp,
  done_at: Nullable(Timestamp, 'When it was marked as done or seen as done; null before'),
}

export const Recommendation = Type.Object(fields, { title: 'Recommendation' })

const Deliverer = Type.Object(
  {
    tool: Type.Unsafe<'helm' | 'argocd' | 'flux'>({ type: 'string', enum: ['helm', 'argocd', 'flux'] }),
    kind: Type.Unsafe<'Release' | 'Application' | 'HelmRelease' | 'Kustomization'>({
      type: 'string',
      enum: ['Release', 'Application', 'HelmRelease', 'Kustomization'],
    }),
    namespace: Nullable(Type.String(), 'Null where its marks do not tell'),
    name: Nullable(Type.String(), 'Null where its marks do not tell'),
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
          'What brings the workload into the cluster, by the marks that Helm, Argo CD and Flux leave on it; absent where it has none, or where no open recommendation is about the workload',
      }),
    ),
  },
  { title: 'RecommendationWithEvidence' },
)

export const MovedRecommendation = Type.Object(
  { ...fields, changed: Type.Boolean({ description: 'False: it was so before' }) },
  { title: 'MovedRecommendation' },
)

export type Deliverer = Static<typeof Deliverer>
export type Recommendation = Static<typeof Recommendation>
export type RecommendationWithEvidence = Static<typeof RecommendationWithEvidence>
export type RecommendedChange = Static<typeof RecommendedChange>
export type Drift = Static<typeof Drift>
export type VerificationDetail = Static<typeof VerificationDetail>
export type MovedRecommendation = Static<typeof MovedRecommendation>
