import type { GeneratedAlways } from 'kysely'
import type { Json } from './json.ts'

export type ServiceTables = {
  event: {
    event_id: GeneratedAlways<string>
    at: Date
    cluster_id: string | null
    kind: string
    subject_type: string
    subject_id: string
    data: Json<Record<string, unknown>>
  }
  rate_limit: { bucket: string; hits: number; resets_at: Date }
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
