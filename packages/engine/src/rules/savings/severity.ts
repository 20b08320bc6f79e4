import type { Severity } from '../finding.ts'

const STEPS: readonly (readonly [share: number, severity: Severity])[] = [
  [0.05, 'critical'],
  [0.01, 'high'],
  [0.001, 'medium'],
]

export type Weight = {
  /** What can be banked, or the estimate where that is not known. */
  readonly savingUsdPerMonth: number
  /** Null: not known, so nothing is large. */
  readonly clusterUsdPerMonth: number | null
  readonly isUrgent: boolean
}

/** By what can be saved relative to what the cluster costs; what breaks now is critical whatever it costs. */
export function severityOf({ savingUsdPerMonth, clusterUsdPerMonth, isUrgent }: Weight): Severity {
  if (isUrgent) return 'critical'
  if (clusterUsdPerMonth === null || clusterUsdPerMonth <= 0) return 'low'
  const share = savingUsdPerMonth / clusterUsdPerMonth
  return STEPS.find(([least]) => share >= least)?.[1] ?? 'low'
}
