import { Type, type Static } from 'typebox'
import { Closed, includeOf, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { recommendationIds } from './recommendation-moves.ts'
import {
  ObjectReference,
  Recommendation,
  recommendationCategories,
  recommendationStatuses,
  severityNames,
  verificationStates,
} from './recommendations.ts'

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
  verification: several(`${verificationStates.join(', ')}, or \`__none__\` for what nobody verifies`),
  min_savings: Type.Optional(Type.Number({ description: 'At least as much a month, estimated' })),
  text: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A part of the title, the namespace or the workload' }),
  ),
  include_snoozed: Type.Optional(Type.Boolean({ default: false })),
}

export const listIncludes = ['withheld'] as const
export const groupIncludes = ['totals', 'withheld'] as const

const withheldCount = Type.Optional(
  Type.Integer({ description: 'With `include=withheld`: recommendations that are withheld' }),
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
  estimated_savings: Money('A month; what several say about one thing is counted once'),
  bankable_savings: Nullable(
    Money(),
    'A month: the sum of the shares of these when all open ones of their clusters are followed; what some of them free alone is told by a preview. Null: computed for none of them',
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
  { description: 'Of all that match the other filters, by status' },
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
    cluster_id: Nullable(Type.String(), 'Of groups by cluster'),
    namespace: Nullable(Type.String(), 'Of groups by namespace and by workload; `__none__` for what belongs to none'),
    workload: Nullable(Type.String(), 'Of groups by workload: its name, or `__none__` for what is none'),
    rule_id: Nullable(Type.String(), 'Of groups by rule'),
    rule_name: Type.Optional(Nullable(Type.String(), 'Short name of the rule, of groups by rule')),
    verification: Nullable(Type.String(), 'Of groups by verification; `__none__` for what nobody verifies'),
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
      Type.Unsafe<string[]>({ ...recommendationIds, description: 'The same as `ids`, by the name that manifests use' }),
    ),
    ...filters,
    status: several('Instead of ids: all that are pending or approved, or both'),
  },
  {
    title: 'PreviewBody',
    examples: [{ ids: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }, { status: 'approved' }],
  },
)

export const Preview = Type.Object(
  {
    currency: Type.String(),
    estimated_savings: Money('A month, together, by the same sum as the totals of the list'),
    bankable_savings: Nullable(
      Money(),
      'A month, of these alone, together: what of the nodes that go is credited to them, never more than what the things cost that they are about. With `unattributed_savings` it is what leaves the bill when these are followed and no other advice is. Of all that is open it is the sum of the shares that the list shows. Null: the scheduler has not been run again with them',
    ),
    unattributed_savings: Nullable(
      Money(),
      'A month, beside `bankable_savings`, and leaves the bill too: idle room on the nodes that go, beyond what the things cost that these are about. Null where `bankable_savings` is, and for a role that is narrowed to namespaces',
    ),
    share_savings: Money(
      'A month: the sum of `bankable_savings` of these in the list, which are shares of what all open advice frees together',
    ),
    shares_differ_because: Nullable(
      Type.String(),
      'Why `bankable_savings` is not `share_savings`: other advice is open too, or the cluster has changed since it was analyzed. A role that is narrowed to namespaces is told of other advice in these only. Null: they are the same, or nothing can be said',
    ),
    nodes_freed: Type.Array(Type.Object({ cluster_id: Type.String(), node: Type.String(), savings: Money('A month') })),
    blockers: Type.Array(Type.String(), {
      description: 'What keeps the nodes that run what would be changed, and do not go; of no other nodes',
    }),
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
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'Words, each of them a part of the namespace and name of the object, or where it is null of the title of the rule, of the name of the cluster, of the reason, or of what `detail` and `unlock` say',
    }),
  ),
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
  {
    withheld: Type.Array(WithheldAdvice),
    counts: Nullable(
      Type.Array(Type.Object({ reason: Type.String(), count: Type.Integer() })),
      'How many match the other filters on all pages, by reason, most first; of every reason, whichever are asked for. Null with a cursor: the first page has told it',
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
