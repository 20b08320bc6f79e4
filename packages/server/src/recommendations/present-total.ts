import { recommendationStatuses, type RecommendationList } from '@plimsoll/contract'
import type { Grouped } from './queries/recommendation-groups.ts'
import type { StatusTotal } from './queries/recommendations.ts'

export const presentTotal = (total: Pick<Grouped, 'count' | 'estimated_savings' | 'bankable_savings'> | undefined) => ({
  count: total?.count ?? 0,
  estimated_savings: Number(total?.estimated_savings ?? 0),
  bankable_savings: typeof total?.bankable_savings === 'string' ? Number(total.bankable_savings) : null,
})

export function presentTotals(totals: readonly StatusTotal[]): RecommendationList['totals'] {
  const of = (status: (typeof recommendationStatuses)[number]) =>
    presentTotal(totals.find((each) => each.status === status))
  return Object.fromEntries(
    recommendationStatuses.map((status) => [status, of(status)]),
  ) as RecommendationList['totals']
}
