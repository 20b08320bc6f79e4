import type { RecommendationList } from '@plimsoll/contract'

export type ListTotal = RecommendationList['totals']['pending']
type Status = keyof RecommendationList['totals']

/** The total of the statuses that the list shows. */
export function listTotal(totals: RecommendationList['totals'] | undefined, status = 'pending'): ListTotal | undefined {
  if (!totals) return undefined
  const parts = status.split(',').map((each) => totals[each as Status])
  const bankable = parts.flatMap((each) => each.bankable_savings ?? [])
  return {
    count: parts.reduce((sum, each) => sum + each.count, 0),
    estimated_savings: parts.reduce((sum, each) => sum + each.estimated_savings, 0),
    bankable_savings: bankable.length === 0 ? null : bankable.reduce((sum, each) => sum + each, 0),
  }
}
