import type { ContainerShape } from '@plimsoll/contract'
import type { ColumnType, Generated } from 'kysely'

export type IngestTables = {
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
  folded_day: { cluster_id: string; day: Date; hours: number; running_since: ColumnType<Date | null, never, never> }
  fold_checkpoint: {
    cluster_id: string
    version: number
    state: Buffer | null
    folded_at: Date
    holder: ColumnType<string | null, string | null | undefined, string | null>
  }
  fold_lease: { holder: string; until: Date }
}
