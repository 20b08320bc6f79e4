import type {
  Condition,
  ContainerShape,
  DeliveryError,
  DeliveryState,
  Drift,
  JobStage,
  LevelName,
  MessageEvent,
  NodeVerdict,
  Permission,
  PolicySettings,
  PriceOverrideKind,
  RecommendationCategory,
  RecommendationStatus,
  SeverityName,
  SyncResult,
  TeamRule,
  VerificationDetail,
  VerificationState,
} from '@plimsoll/contract'
import type { ChannelKind, Message } from '@plimsoll/engine/messages'
import type { LiveWorkload } from '@plimsoll/engine/manifests'
import type { StepEffort } from '@plimsoll/engine/plan'
import type { Target } from '@plimsoll/engine/rules'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { EvidenceDigest, StoredContent, StoredEvidence } from '@plimsoll/pipeline/advice'

/** Written as a string, read as the JSON value. */
type Json<T> = ColumnType<T, string, string>

export type Tables = {
  role: {
    name: string
    built_in: boolean
    permissions: Permission[]
    clusters: string[] | null
    namespaces: string[] | null
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  app_user: {
    user_id: string
    email: string
    password_hash: string | null
    role: string
    disabled: Generated<boolean>
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  api_key: {
    key_id: string
    user_id: string
    name: string
    secret_mac: Buffer
    scopes: Permission[] | null
    expires_at: Date | null
    created_at: Date
  }
  cluster: {
    cluster_id: string
    name: string
    provider: string
    region: string
    kube_system_uid: ColumnType<string | null, string | null | undefined, string | null>
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  agent_token: {
    token_id: string
    cluster_id: string
    secret_mac: Buffer
    expires_at: Date | null
    created_at: Date
  }
  cluster_state: {
    cluster_id: string
    agent_version: string | null
    agent_last_seen_at: Date | null
    last_sync_at: Date | null
    node_count: Generated<number>
    pod_count: Generated<number>
    pods_allocatable: ColumnType<string, number | undefined, number>
    /** An exact decimal; shown rounded to 6 places. */
    monthly_cost: ColumnType<string, string | undefined, string>
    /** The parts of `monthly_cost`; they add up to it. */
    monthly_compute: ColumnType<string, string | undefined, string>
    monthly_storage: ColumnType<string, string | undefined, string>
    monthly_load_balancer: ColumnType<string, string | undefined, string>
    monthly_overhead: ColumnType<string, string | undefined, string>
    conditions: ColumnType<Condition[], string | undefined, string>
    sync_requested_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    /** At the last sweep. */
    connection: Generated<'connected' | 'stale' | 'disconnected'>
    /** Null: not disconnected. */
    silent_since: Generated<Date | null>
    foreign_uid: ColumnType<string | null, string | null | undefined, string | null>
    foreign_uid_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  }
  ingest_batch: {
    cluster_id: string
    batch_id: string
    epoch: string
    seq: number
    kind: 'live' | 'backfill'
    digest: Buffer
    received_at: Date
    state: Generated<'pending' | 'folded' | 'quarantined'>
    reason: ColumnType<string | null, string | null | undefined, string | null>
    rejected_records: Generated<number>
    unsaved: Generated<boolean>
    unresolved: Generated<boolean>
  }
  ingest_body: { cluster_id: string; batch_id: string; received_day: Date; body: Buffer }
  ingest_epoch: {
    cluster_id: string
    epoch: string
    acked_seq: Generated<number>
    folded_seq: Generated<number>
    started_at: Date
  }
  folded_hour: {
    cluster_id: string
    hour: Date
    revision: number
    written_at: Date
    origin: Generated<'live' | 'bridged' | 'backfill'>
  }
  open_hour: { cluster_id: string; hour: Date; observed_from: Date; observed_through: Date }
  workload_container: {
    cluster_id: string
    container_id: string
    namespace: string
    workload_kind: string
    workload_name: string
    container: string
    container_kind: ContainerShape['kind'] | null
    cpu_request: string | null
    cpu_limit: string | null
    memory_request: string | null
    memory_limit: string | null
    pods: Generated<number>
    first_seen_at: Date
    last_seen_at: Date
    shape_since: Date
  }
  backfill_checkpoint: { cluster_id: string; epoch: string; state: Buffer; folded_at: Date }
  folded_day: { cluster_id: string; day: Date; hours: number }
  job: {
    job_id: string
    cluster_id: string
    kind: 'sync'
    stage: JobStage
    result: ColumnType<SyncResult | null, string | null, string | null>
    error: string | null
    created_at: Date
    updated_at: Date
    finished_at: Date | null
  }
  fold_checkpoint: {
    cluster_id: string
    version: number
    state: Buffer | null
    folded_at: Date
    holder: ColumnType<string | null, string | null | undefined, string | null>
  }
  event: {
    event_id: GeneratedAlways<string>
    at: Date
    cluster_id: string | null
    kind: string
    subject_type: string
    subject_id: string
    data: Json<Record<string, unknown>>
  }
  fold_lease: { holder: string; until: Date }
  price_book: {
    version: string
    as_of: string
    origin: 'release' | 'loaded'
    loaded_at: Date
    effective_from: Date
    bytes: Buffer
  }
  /** Exact decimals, as PostgreSQL writes them. */
  price_override: {
    override_id: string
    position: GeneratedAlways<number>
    kind: PriceOverrideKind
    cluster_id: string | null
    provider: string | null
    region: string | null
    instance_type: string | null
    capacity_type: 'on-demand' | 'spot' | null
    os: 'linux' | 'windows' | null
    usd_per_hour: string | null
    percent: string | null
    usd_per_vcpu_month: string | null
    usd_per_gib_month: string | null
    usd_per_gpu_month: string | null
    usd_per_storage_gib_month: string | null
    effective_from: Date
    effective_until: Date | null
    note: string | null
    created_at: Date
  }
  node_class: { cluster_id: string; class_key: string; nodes: number; rate_id: string; last_seen_at: Date }
  node_verdict: { cluster_id: string; node_uid: string; verdict: Json<NodeVerdict> }
  team_mapping: { mapping_id: string; rules: Json<TeamRule[]>; revision: Generated<number>; updated_at: Date }
  repricing: { cluster_id: string; from_hour: Date }
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
  plan: {
    cluster_id: string
    analysed_at: Date
    run_rate: string | null
    savings: string
    is_complete: boolean
    bounds: Json<string[]>
  }
  plan_step: {
    cluster_id: string
    step_id: string
    kind: string
    title: string
    position: number | null
    savings: string
    capacity_value: string
    run_rate_before: string | null
    run_rate_after: string | null
    risk: LevelName
    effort: Json<StepEffort>
    /** Prices are decimals, as text. */
    nodes: Json<{ name: string; pool: string; instanceType?: string; usdPerMonth: string; replacedBy: string | null }[]>
    created_at: Date
    ended_at: Date | null
  }
  plan_step_promise: {
    cluster_id: string
    step_id: string
    kind: string
    title: string
    named_at: Date
    promised_at: Date
    savings: string
    nodes: Json<{ name: string; pool: string; usdPerMonth: string; replacedBy: string | null }[]>
    members: Json<{ id: string; share: string }[]>
    resources: Json<{ id: string; uid: string; kind: string; usdPerMonth: string }[]>
  }
  plan_step_member: { cluster_id: string; step_id: string; recommendation_id: string; share: string }
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
  cluster_tombstone: { cluster_id: string; deleted_at: Date; purged_at: Date | null }
  deleted_agent_token: { token_id: string; cluster_id: string; secret_mac: Buffer }
  session: {
    session_id: string
    user_id: string
    created_at: Date
    expires_at: Date
    address: string | null
    user_agent: string | null
  }
  one_time_link: { link_id: string; user_id: string | null; secret_mac: Buffer; created_at: Date; expires_at: Date }
  server_secret: {
    secret_id: string
    purpose: 'jwt' | 'mac'
    material: Buffer
    sealed: boolean
    created_at: Date
    retires_at: Date | null
  }
  channel: {
    channel_id: string
    name: string
    kind: ChannelKind
    host: string
    sealed: Buffer
    events: MessageEvent[] | null
    disabled_reason: 'user' | 'gone' | null
    revision: Generated<number>
    created_at: Date
    updated_at: Date
  }
  delivery: {
    delivery_id: string
    position: GeneratedAlways<string>
    channel_id: string
    dedup_key: string
    transition: string
    message: Json<Message>
    state: DeliveryState
    tries: Generated<number>
    tries_max: number
    due_at: Date
    claimed_until: Generated<Date | null>
    queued_at: Date
    ended_at: Generated<Date | null>
  }
  delivery_try: {
    delivery_id: string
    number: number
    at: Date
    duration_ms: number
    status: number | null
    error: DeliveryError | null
  }
  rate_limit: { bucket: string; hits: number; resets_at: Date }
  last_use: { subject_id: string; at: Date }
  idempotent_answer: {
    caller: string
    idempotency_key: string
    fingerprint: Buffer
    status: number
    headers: Json<Record<string, string>>
    body: Json<unknown>
    resource_id: string | null
    created_at: Date
  }
  audit_entry: {
    audit_id: string
    at: Date
    actor_kind: 'person' | 'api_key' | 'agent' | 'system' | 'anonymous'
    actor_id: string | null
    actor_email: string | null
    credential_id: string | null
    action: string
    target_type: string
    target_id: string
    detail: Json<Record<string, unknown>>
    address: string | null
    request_id: string | null
  }
}
