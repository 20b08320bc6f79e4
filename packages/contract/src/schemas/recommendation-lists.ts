import { CATEGORIES, SEVERITIES, VERIFICATIONS } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { Closed, includeOf, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { recommendationIds } from './recommendation-moves.ts'
import { ObjectReference, Recommendation, recommendationStatuses } from './recommendations.ts'

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
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: `${what}; several comma-separated` }))

const filters = {
  status: several(recommendationStatuses.join(', ')),
  cluster_id: several('A cluster'),
  namespace: several('A namespace, or `__none__` for cluster-scoped objects'),
  workload: several('Name of a workload, or `__none__` for other objects'),
  rule_id: several('A rule'),
  category: several(CATEGORIES.join(', ')),
  severity: several(SEVERITIES.join(', ')),
  risk: several('low, medium, high'),
  verification: several(`${VERIFICATIONS.join(', ')}, or \`__none__\` without verification`),
  min_savings: Type.Optional(Type.Number({ description: 'Minimum estimated savings, in USD per month' })),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Part of the title, the namespace or the workload' }),
  ),
  include_snoozed: Type.Optional(Type.Boolean({ default: false })),
}

export const listIncludes = ['withheld'] as const
export const groupIncludes = ['totals', 'withheld'] as const

const withheldCount = Type.Optional(
  Type.Integer({ description: 'With `include=withheld`: number of withheld recommendations' }),
)

export const ListRecommendationsQuery = Closed({
  ...includeOf(listIncludes),
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
  estimated_savings: Money('USD per month; several recommendations for one object count once'),
  bankable_savings: Nullable(
    Money(),
    'USD per month: total of the shares of plan steps. A preview returns the savings of a selection alone. Null: not computed',
  ),
})

const Totals = Type.Object(
  {
    pending: Total,
    approved: Total,
    rejected: Total,
    implemented: Total,
    superseded: Total,
    resolved: Total,
    expired: Total,
  },
  { description: 'Number of recommendations that match the other filters, by status' },
)

export const RecommendationList = Type.Object(
  {
    recommendations: Type.Array(Recommendation),
    totals: Totals,
    withheld: withheldCount,
    currency: Type.String(),
    ...pageFields,
  },
  { title: 'RecommendationList' },
)

export const recommendationGroupings = ['cluster', 'namespace', 'workload', 'rule', 'verification'] as const
export type RecommendationGrouping = (typeof recommendationGroupings)[number]

export const recommendationGroupsMax = 500

export const GroupRecommendationsQuery = Closed({
  ...includeOf(groupIncludes),
  ...filters,
  by: Type.Unsafe<RecommendationGrouping>({ type: 'string', enum: [...recommendationGroupings] }),
})

export const RecommendationGroup = Type.Object(
  {
    cluster_id: Nullable(Type.String(), 'For groups by cluster'),
    namespace: Nullable(
      Type.String(),
      'For groups by namespace and by workload; `__none__` for cluster-scoped objects',
    ),
    workload: Nullable(Type.String(), 'For groups by workload: its name, or `__none__` for other objects'),
    rule_id: Nullable(Type.String(), 'For groups by rule'),
    rule_name: Type.Optional(Nullable(Type.String(), 'Short name of the rule, for groups by rule')),
    verification: Nullable(Type.String(), 'For groups by verification; `__none__` without verification'),
    ...Total.properties,
  },
  {
    title: 'RecommendationGroup',
    description: 'The fields that are not null are the filter for the recommendations of the group',
  },
)

export const RecommendationGroups = Type.Object(
  {
    by: Type.Unsafe<RecommendationGrouping>({ type: 'string', enum: [...recommendationGroupings] }),
    groups: Type.Array(RecommendationGroup, {
      maxItems: recommendationGroupsMax,
      description: 'By bankable savings, then by estimated savings, highest first',
    }),
    rest: Type.Object(Total.properties, { description: 'Total of the other groups' }),
    totals: Type.Optional(Totals),
    withheld: withheldCount,
    currency: Type.String(),
  },
  { title: 'RecommendationGroups' },
)

export const PreviewBody = Closed(
  {
    ids: Type.Optional(recommendationIds),
    recommendation_ids: Type.Optional(
      Type.Unsafe<string[]>({ ...recommendationIds, description: 'Same as `ids`; the name used by manifests' }),
    ),
    ...filters,
    status: several('Instead of ids: all pending or all approved recommendations, or both'),
  },
  {
    title: 'PreviewBody',
    examples: [{ ids: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }, { status: 'approved' }],
  },
)

export const Preview = Type.Object(
  {
    currency: Type.String(),
    estimated_savings: Money('USD per month, total, computed like the totals of the list'),
    bankable_savings: Nullable(
      Money(),
      'USD per month if only these recommendations are applied: the drop of the bill. For all open recommendations, it equals the sum of the shares in the list. Null: not simulated',
    ),
    unattributed_savings: Nullable(
      Money(),
      'Deprecated and always 0: the shares of a plan step add up to its savings. Null if `bankable_savings` is null, and for a role limited to namespaces',
    ),
    share_savings: Money(
      'USD per month: total of the `bankable_savings` that the list shows for these recommendations (shares of plan steps)',
    ),
    shares_differ_because: Nullable(
      Type.String(),
      'Why `bankable_savings` differs from `share_savings`: other recommendations are open, or the cluster has changed since the analysis. A role limited to namespaces sees only recommendations in its namespaces. Null: no difference, or unknown',
    ),
    nodes_freed: Type.Array(Type.Object({ cluster_id: Type.String(), node: Type.String(), savings: Money('A month') })),
    blockers: Type.Array(Type.String(), {
      description: 'Blockers of the nodes that run the affected workloads and cannot be removed',
    }),
    recommendations: Type.Integer({ description: 'Number of different recommendations' }),
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
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Search words. Each word must occur in the object, the rule title, the cluster name, the reason, `detail` or `unlock`',
    }),
  ),
})

export const WithheldAdvice = Type.Object(
  {
    cluster_id: Type.String(),
    rule_id: Type.String(),
    object: Nullable(ObjectReference, 'Null: the whole rule'),
    reason: Type.String({ description: 'Machine-readable reason', examples: ['too_little_history'] }),
    detail: Type.String({ description: 'Why the recommendation is withheld' }),
    unlock: Type.String({ description: 'How to unlock the recommendation' }),
    since: Timestamp,
  },
  { title: 'WithheldAdvice' },
)

export const WithheldList = Type.Object(
  {
    withheld: Type.Array(WithheldAdvice),
    counts: Nullable(
      Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
      'Number of matches on all pages by reason, most first, for every reason regardless of the reason filter. Null with a cursor; see the first page',
    ),
    ...pageFields,
  },
  { title: 'WithheldList' },
)

export type RecommendationGroup = Static<typeof RecommendationGroup>
export type RecommendationGroups = Static<typeof RecommendationGroups>
export type Preview = Static<typeof Preview>
export type WithheldAdvice = Static<typeof WithheldAdvice>
export type RecommendationList = Static<typeof RecommendationList>
export type WithheldList = Static<typeof WithheldList>
