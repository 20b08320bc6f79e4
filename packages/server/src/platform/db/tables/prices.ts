import type { PriceOverrideKind } from '@plimsoll/contract'
import type { GeneratedAlways } from 'kysely'
import type { Json } from './json.ts'

export type PricesTables = {
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
  repricing: { cluster_id: string; from_hour: Date; rates_before: Json<Record<string, number>> | null }
}
