import type { Severity } from '../../vocabulary/recommendations.ts'

const STEPS: readonly (readonly [share: number, severity: Severity])[] = [
  [0.05, 'critical'],
  [0.01, 'high'],
  [0.001, 'medium'],
]

export type Weight = {
  /** Bankable savings, or the estimate if they are unknown. */
  readonly savingUsdPerMonth: number
  /** Null: not known, so nothing is high. */
  readonly clusterUsdPerMonth: number | null
  readonly isUrgent: boolean
}

/** By savings relative to the cost of the cluster; a current failure is always critical. */
export function severityOf({ savingUsdPerMonth, clusterUsdPerMonth, isUrgent }: Weight): Severity {
  if (isUrgent) return 'critical'
  if (clusterUsdPerMonth === null || clusterUsdPerMonth <= 0) return 'low'
  const share = savingUsdPerMonth / clusterUsdPerMonth
  return STEPS.find(([least]) => share >= least)?.[1] ?? 'low'
}
