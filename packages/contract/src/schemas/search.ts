import { Type, type Static } from 'typebox'
import { Closed, Nullable } from './common.ts'
import { Money } from './money.ts'
import { Recommendation } from './recommendations.ts'

export const searchLimit = { max: 20, default: 6 }

/** A single letter is part of almost every name. */
export const searchLettersMin = 2

export const SearchQuery = Closed({
  q: Type.String({
    minLength: searchLettersMin,
    maxLength: 200,
    description:
      'At least two characters: parts of a name, separated by spaces, in any case. A name must contain all of them',
    examples: ['shop web'],
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: searchLimit.max,
      default: searchLimit.default,
      description: 'Maximum number of results of each kind',
    }),
  ),
})

export const searchKinds = ['clusters', 'teams', 'namespaces', 'workloads', 'nodes', 'recommendations'] as const
export type SearchKind = (typeof searchKinds)[number]

const clusterIds = Type.Array(Type.String(), { description: 'The clusters that contain an object of this name' })

const ofKind = (permission: string, order = 'exact names first, then names that begin with `q`, then by name') =>
  `Requires \`${permission}\`; ${order}`

export const SearchResults = Type.Object(
  {
    clusters: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        monthly_cost: Nullable(Money(), 'USD per month; null without data, and for a role limited to namespaces'),
      }),
      { description: ofKind('clusters:read') },
    ),
    teams: Type.Array(Type.Object({ name: Type.String() }), { description: ofKind('reports:read') }),
    namespaces: Type.Array(Type.Object({ name: Type.String(), cluster_ids: clusterIds }), {
      description: ofKind('reports:read'),
    }),
    workloads: Type.Array(
      Type.Object({ namespace: Type.String(), kind: Type.String(), name: Type.String(), cluster_ids: clusterIds }),
      { description: ofKind('reports:read', 'by match as above, and workloads with running pods first') },
    ),
    nodes: Type.Array(Type.Object({ name: Type.String(), cluster_ids: clusterIds }), {
      description: ofKind('reports:read', 'by match as above, and existing nodes first'),
    }),
    recommendations: Type.Array(Recommendation, {
      description: ofKind('recommendations:read', 'open recommendations, by bankable savings, highest first'),
    }),
    more: Type.Array(Type.Unsafe<SearchKind>({ type: 'string', enum: [...searchKinds] }), {
      description:
        'The kinds with more matches than the limit, or with more values of team labels than the search reads (20,000)',
    }),
  },
  { title: 'SearchResults' },
)

export type SearchResults = Static<typeof SearchResults>
