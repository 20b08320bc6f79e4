import type {
  Drift,
  LevelName,
  NodeVerdict,
  PolicySettings,
  RecommendationCategory,
  RecommendationStatus,
  SeverityName,
  VerificationDetail,
  VerificationState,
} from '@plimsoll/contract'
import type { LiveWorkload } from '@plimsoll/engine/manifests'
import type { Target } from '@plimsoll/engine/rules'
import type { ColumnType, Generated } from 'kysely'
import type { EvidenceDigest, StoredContent, StoredEvidence } from '@plimsoll/pipeline/advice'
import type { Json } from './json.ts'

export type RecommendationsTables = {
  recommendation: {
    cluster_id: string
    recommendation_id: string
    rule_id: string
    category: RecommendationCategory
    target_key: string
    bundle_id: string | null
    status: RecommendationStatus
    severity: SeverityName
    severity_rank: number
    risk: LevelName
    confidence: LevelName
    title: string
    namespace: string
    pod_name: string
    workload_kind: string | null
    workload_name: string | null
    container: string | null
    search_text: string
    estimated_savings: string
    bankable_savings: string | null
    content: Json<StoredContent>
    basis: string
    drift: ColumnType<Drift | null, string | null, string | null>
    verification: VerificationState | null
    verification_detail: ColumnType<VerificationDetail | null, string | null, string | null>
    snoozed_until: Date | null
    missing_since: Date | null
    revision: Generated<number>
    created_at: Date
    updated_at: Date
    approved_at: Date | null
    done_at: Date | null
  }
  advice_revision: { cluster_id: string; revision: string }
  recommendation_evidence: {
    cluster_id: string
    recommendation_id: string
    evidence: Json<StoredEvidence>
    digest: ColumnType<EvidenceDigest | null, string | null, string | null>
    written_at: Date
    past_told_at: Date | null
  }
  recommendation_history: {
    cluster_id: string
    recommendation_id: string
    position: number
    at: Date
    action: string
    from_status: RecommendationStatus | null
    to_status: RecommendationStatus
    actor_kind: 'person' | 'api_key' | null
    actor_id: string | null
    actor_email: string | null
    reason: string | null
    detail: Json<Record<string, unknown>>
  }
  recommendation_suppression: {
    cluster_id: string
    rule_id: string
    target_key: string
    recommendation_id: string
    namespace: string
    until: Date
    basis: string
    estimated_savings: string
  }
  recommendation_withheld: {
    cluster_id: string
    rule_id: string
    target_key: string
    namespace: string
    target: ColumnType<Target | null, string | null, string | null>
    reason: string
    detail: string
    unlock: string
    since: Date
  }
  recommendation_policy: {
    cluster_id: string
    namespace: string
    settings: Json<PolicySettings>
    revision: Generated<number>
    updated_at: Date
  }
  node_verdict: { cluster_id: string; node_uid: string; verdict: Json<NodeVerdict> }
  workload_shape: {
    cluster_id: string
    namespace: string
    workload_kind: string
    workload_name: string
    shape: ColumnType<LiveWorkload | null, string | null, string | null>
  }
  helm_path: {
    cluster_id: string
    namespace: string
    workload_kind: string
    workload_name: string
    container: string
    values_path: string
    chart: string | null
    is_verified: boolean
    proved_chart: string | null
    updated_at: Date
    revision: Generated<number>
  }
  savings_ledger: {
    cluster_id: string
    recommendation_id: string
    month: string
    namespace: string
    rule_id: string
    verified_usd: string
    reverted_usd: string
    counted_until: Date
  }
}
