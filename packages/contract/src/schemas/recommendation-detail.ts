import { Type, type Static } from 'typebox'
import { Closed, includeOf } from './common.ts'
import { HistoryEntry } from './recommendation-moves.ts'
import { Recommendation, RecommendationWithEvidence } from './recommendations.ts'

export const recommendationIncludes = ['history', 'also_open'] as const

export const RecommendationQuery = Closed(includeOf(recommendationIncludes))

export const alsoOpenMax = 10

export const RecommendationDetail = Type.Object(
  {
    ...RecommendationWithEvidence.properties,
    history: Type.Optional(
      Type.Array(HistoryEntry, {
        description: 'With `include=history`: status changes with user, time and reason. Oldest first',
      }),
    ),
    also_open: Type.Optional(
      Type.Array(Recommendation, {
        maxItems: alsoOpenMax,
        description: 'With `include=also_open`: other pending and approved recommendations for the same workload',
      }),
    ),
  },
  { title: 'RecommendationDetail' },
)

export type RecommendationDetail = Static<typeof RecommendationDetail>
