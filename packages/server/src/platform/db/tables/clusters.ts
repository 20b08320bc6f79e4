import type { Condition, JobStage, SyncResult } from '@plimsoll/contract'
import type { ColumnType, Generated } from 'kysely'

export type ClustersTables = {
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
  cluster_tombstone: { cluster_id: string; deleted_at: Date; purged_at: Date | null }
  deleted_agent_token: { token_id: string; cluster_id: string; secret_mac: Buffer }
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
}
