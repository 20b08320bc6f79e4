import type { Grouped } from '../db/recommendation-groups.ts'

export const presentTotal = (total: Pick<Grouped, 'count' | 'estimated_savings' | 'bankable_savings'> | undefined) => ({
  count: total?.count ?? 0,
  estimated_savings: Number(total?.estimated_savings ?? 0),
  bankable_savings: typeof total?.bankable_savings === 'string' ? Number(total.bankable_savings) : null,
})
