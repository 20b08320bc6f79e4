import type { TeamRule } from '@plimsoll/contract'

/** The labels of the demo namespaces name their teams. */
export const demoTeams: readonly TeamRule[] = [{ team: 'data', namespace: 'analytics' }, { team_from_label: 'team' }]

/** One team stays within its budget, and one exceeds it. The share is the amount, as a part of the cost of a month. */
export const demoBudgets = [
  { name: 'Storefront', team: 'storefront', share: 1.2 },
  { name: 'Payments', team: 'payments', share: 0.8 },
] as const

const daysPerMonth = 365 / 12

/** In whole tens of dollars, as people set budgets. */
export const amountFor = (usdPerDay: number, share: number): number =>
  Math.max(10, Math.round((usdPerDay * daysPerMonth * share) / 10) * 10)
