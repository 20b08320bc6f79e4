import type { Drift, LevelName, SeverityName } from '@plimsoll/contract'
import type { StoredContent } from './stored-content.ts'

/** A stored recommendation that is pending or approved, as an analysis compares it with its findings. */
export type OpenRecommendation = {
  recommendation_id: string
  rule_id: string
  target_key: string
  title: string
  severity: SeverityName
  risk: LevelName
  confidence: LevelName
  pod_name: string
  workload_kind: string | null
  workload_name: string | null
  container: string | null
  basis: string
  content: StoredContent
  drift: Drift | null
  /** Decimals of 6 places. */
  estimated_savings: string
  bankable_savings: string | null
  missing_since: Date | null
}

/** A finding as it is stored. */
export type StoredFinding = {
  id: string
  ruleId: string
  category: string
  targetKey: string
  bundleId: string | null
  severity: string
  severityRank: number
  risk: string
  confidence: string
  title: string
  namespace: string
  podName: string
  workloadKind: string | null
  workloadName: string | null
  container: string | null
  searchText: string
  /** Decimals of 6 places. */
  estimated: string
  bankable: string | null
  content: StoredContent
  basis: string
}

export type BankableChange = {
  id: string
  /** With the reason why it differs from the estimate; null: not known. */
  bankable: string | null
  because: string | null
  severity: SeverityName
  severityRank: number
}
