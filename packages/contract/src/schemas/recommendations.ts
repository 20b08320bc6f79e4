import { Type, type Static } from 'typebox'
import { Closed, Nullable, pageFields, pageQuery, Timestamp, VisibleLines } from './common.ts'
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

const oneOf = <T extends string>(values: readonly T[], description?: string) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...(description === undefined ? {} : { description }) })

const Status = oneOf(
  recommendationStatuses,
  '`implemented`: somebody has marked it as done · `resolved`: it was observed as done · `superseded`, `expired`: it no longer holds',
)

export const Category = oneOf(recommendationCategories)
const Severity = oneOf(severityNames, 'By what can be banked, relative to what the cluster costs')

const Action = oneOf(recommendationActions)

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

const ObjectReference = Type.Object({
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
  category: Category,
  severity: Severity,
  estimated_savings: Money('A month, by what is asked for'),
  bankable_savings: Nullable(
    Money(),
    'A month, by the nodes that really go once all open advice is followed: its share of them, which is more than the estimate where room goes with them that nobody had asked for. `evidence.bankable_because` says why; null: not computed',
  ),
  currency: Type.String(),
  pod_name: Type.String({ description: 'A representative pod; empty for what has none' }),
  namespace: Type.String({ description: 'Empty for what belongs to no namespace' }),
  workload: Nullable(
    Type.Object({ kind: Type.String(), name: Type.String(), container: Type.String() }),
    'Null for what is no workload',
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

export const RecommendationWithEvidence = Type.Object(
  { ...fields, evidence: Nullable(Evidence) },
  { title: 'RecommendationWithEvidence' },
)

export const MovedRecommendation = Type.Object(
  { ...fields, changed: Type.Boolean({ description: 'False: it was so before' }) },
  { title: 'MovedRecommendation' },
)

export const recommendationPageSize = { max: 500, default: 100 }

export const recommendationSorts = [
  'estimated_savings',
  '-estimated_savings',
  'bankable_savings',
  '-bankable_savings',
  'severity',
  '-severity',
  'created_at',
  '-created_at',
] as const
export type RecommendationSort = (typeof recommendationSorts)[number]

const several = (what: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: `${what}; several with commas` }))

const filters = {
  status: several(recommendationStatuses.join(', ')),
  cluster_id: several('A cluster'),
  namespace: several('A namespace, or `__none__` for what belongs to none'),
  workload: several('The name of a workload, or `__none__` for what is none'),
  rule_id: several('A rule'),
  category: several(recommendationCategories.join(', ')),
  severity: several(severityNames.join(', ')),
  risk: several('low, medium, high'),
  min_savings: Type.Optional(Type.Number({ description: 'At least as much a month, estimated' })),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A part of the title, the namespace or the workload' }),
  ),
  include_snoozed: Type.Optional(Type.Boolean({ default: false })),
}

export const ListRecommendationsQuery = Closed({
  ...pageQuery(recommendationPageSize.max, recommendationPageSize.default),
  ...filters,
  sort: Type.Optional(
    Type.Unsafe<RecommendationSort>({
      type: 'string',
      enum: [...recommendationSorts],
      default: '-estimated_savings',
    }),
  ),
})

const Total = Type.Object({
  count: Type.Integer(),
  estimated_savings: Money('A month; what several say about one thing is counted once'),
  bankable_savings: Nullable(
    Money(),
    'A month, when all open ones are followed; what some of them save alone is told by a preview. Null: computed for none of them',
  ),
})

export const RecommendationList = Type.Object(
  {
    recommendations: Type.Array(Recommendation),
    totals: Type.Object(
      {
        pending: Total,
        approved: Total,
        rejected: Total,
        implemented: Total,
        superseded: Total,
        resolved: Total,
        expired: Total,
      },
      { description: 'Of all that match the other filters, by status' },
    ),
    currency: Type.String(),
    ...pageFields,
  },
  { title: 'RecommendationList' },
)

export const recommendationGroupings = ['cluster', 'namespace', 'workload', 'rule'] as const
export type RecommendationGrouping = (typeof recommendationGroupings)[number]

export const recommendationGroupsMax = 500

export const GroupRecommendationsQuery = Closed({
  ...filters,
  by: Type.Unsafe<RecommendationGrouping>({ type: 'string', enum: [...recommendationGroupings] }),
})

const RecommendationGroup = Type.Object(
  {
    cluster_id: Nullable(Type.String(), 'Of groups by cluster'),
    namespace: Nullable(Type.String(), 'Of groups by namespace and by workload; `__none__` for what belongs to none'),
    workload: Nullable(Type.String(), 'Of groups by workload: its name, or `__none__` for what is none'),
    rule_id: Nullable(Type.String(), 'Of groups by rule'),
    ...Total.properties,
  },
  { title: 'RecommendationGroup', description: 'What is not null is the filter that lists what is in it' },
)

export const RecommendationGroups = Type.Object(
  {
    by: Type.Unsafe<RecommendationGrouping>({ type: 'string', enum: [...recommendationGroupings] }),
    groups: Type.Array(RecommendationGroup, {
      maxItems: recommendationGroupsMax,
      description: 'Those that would take most off the bill first, then by what is estimated',
    }),
    rest: Type.Object(Total.properties, { description: 'What the groups beyond these hold together' }),
    currency: Type.String(),
  },
  { title: 'RecommendationGroups' },
)

const Reason = VisibleLines({ maxLength: 1000, description: 'Why, for the history' })

export const MoveBody = Type.Optional(
  Closed({ reason: Type.Optional(Reason) }, { title: 'MoveBody', examples: [{ reason: 'agreed with the team' }] }),
)

export const SnoozeBody = Closed(
  {
    until: Type.String({ ...Timestamp, description: 'In the future, at most a year away' }),
    reason: Type.Optional(Reason),
  },
  { title: 'SnoozeBody', examples: [{ until: '2026-02-28T09:00:00Z' }] },
)

export const batchIdsMax = 500

const ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: batchIdsMax })

export const BatchBody = Closed(
  {
    action: oneOf(['approve', 'reject', 'apply']),
    ids,
    reason: Type.Optional(Reason),
    atomic: Type.Optional(Type.Boolean({ description: 'All or nothing' })),
  },
  {
    title: 'BatchBody',
    examples: [{ action: 'approve', ids: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }],
  },
)

const BatchItem = Type.Object({
  id: Type.String(),
  outcome: oneOf(['changed', 'unchanged', 'conflict', 'not_found']),
  changed: Type.Boolean(),
  status: Nullable(Status, 'As it is now; null when there is no such recommendation'),
  allowed_actions: Type.Array(Action),
  detail: Nullable(Type.String(), 'Why it did not work'),
})

export const BatchSummary = Type.Object({
  requested: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer(),
})

export const BatchResult = Type.Object(
  { summary: BatchSummary, results: Type.Array(BatchItem, { description: 'In the order of the ids' }) },
  { title: 'BatchResult' },
)

export const HistoryEntry = Type.Object(
  {
    at: Timestamp,
    action: Type.String({
      description: 'What people do, and found, updated, superseded, resolved, expired, verified …',
    }),
    from_status: Nullable(Status),
    to_status: Status,
    actor: Type.Object({
      kind: oneOf(['person', 'api_key', 'engine']),
      id: Nullable(Type.String()),
      email: Nullable(Type.String()),
    }),
    reason: Nullable(Type.String()),
    detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'HistoryEntry' },
)

export const RecommendationHistory = Type.Object(
  { id: Type.String(), history: Type.Array(HistoryEntry, { description: 'Oldest first' }) },
  { title: 'RecommendationHistory' },
)

export const PreviewBody = Closed(
  { ids: Type.Optional(ids), ...filters, status: several('Instead of ids: all that are pending or approved, or both') },
  {
    title: 'PreviewBody',
    examples: [{ ids: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }, { status: 'approved' }],
  },
)

export const Preview = Type.Object(
  {
    currency: Type.String(),
    estimated_savings: Money('A month, together, by the same sum as the totals of the list'),
    bankable_savings: Nullable(Money(), 'A month, together; null: the scheduler has not been run again with them'),
    nodes_freed: Type.Array(Type.Object({ cluster_id: Type.String(), node: Type.String(), savings: Money('A month') })),
    blockers: Type.Array(Type.String(), { description: 'What keeps the rest from being banked' }),
    recommendations: Type.Integer({ description: 'How many different ones' }),
  },
  { title: 'Preview' },
)

export const withheldPageSize = { max: 500, default: 100 }

export const ListWithheldQuery = Closed({
  ...pageQuery(withheldPageSize.max, withheldPageSize.default),
  cluster_id: several('A cluster'),
  namespace: several('A namespace'),
  rule_id: several('A rule'),
  reason: several('A reason'),
})

export const WithheldAdvice = Type.Object(
  {
    cluster_id: Type.String(),
    rule_id: Type.String(),
    object: Nullable(ObjectReference, 'Null: the whole rule'),
    reason: Type.String({ description: 'For programs', examples: ['too_little_history'] }),
    detail: Type.String({ description: 'Why no advice is given' }),
    unlock: Type.String({ description: 'What would change that' }),
    since: Timestamp,
  },
  { title: 'WithheldAdvice' },
)

export const WithheldList = Type.Object(
  { withheld: Type.Array(WithheldAdvice), ...pageFields },
  { title: 'WithheldList' },
)

export type Recommendation = Static<typeof Recommendation>
export type RecommendationGroup = Static<typeof RecommendationGroup>
export type RecommendationGroups = Static<typeof RecommendationGroups>
export type RecommendationWithEvidence = Static<typeof RecommendationWithEvidence>
export type RecommendedChange = Static<typeof RecommendedChange>
export type Drift = Static<typeof Drift>
export type VerificationDetail = Static<typeof VerificationDetail>
export type BatchItem = Static<typeof BatchItem>
export type BatchResult = Static<typeof BatchResult>
export type HistoryEntry = Static<typeof HistoryEntry>
export type Preview = Static<typeof Preview>
export type WithheldAdvice = Static<typeof WithheldAdvice>
export type RecommendationList = Static<typeof RecommendationList>
export type RecommendationHistory = Static<typeof RecommendationHistory>
export type MovedRecommendation = Static<typeof MovedRecommendation>
export type WithheldList = Static<typeof WithheldList>
