import { sql } from 'kysely'
import type { AuditEntry } from '@plimsoll/contract'
import type { Db } from '../platform/db/database.ts'

export type NewAuditEntry = Omit<AuditEntry, 'at' | 'api_key_name'> & { at: Date }

export async function insertAuditEntries(tx: Db, entries: readonly NewAuditEntry[]): Promise<void> {
  if (entries.length > 0) await tx.insertInto('audit_entry').values(entries.map(rowOf)).execute()
}

const rowOf = (entry: NewAuditEntry) => ({
  audit_id: entry.id,
  at: entry.at,
  actor_kind: entry.actor.kind,
  actor_id: entry.actor.id,
  actor_email: entry.actor.email,
  credential_id: entry.credential_id,
  action: entry.action,
  target_type: entry.target.type,
  target_id: entry.target.id,
  detail: JSON.stringify(entry.detail),
  address: entry.address,
  request_id: entry.request_id,
})

/** A revoked key is no longer in its table; the audit entry of its revocation has its name. */
const apiKeyName = sql<string | null>`
  case when audit_entry.actor_kind = 'api_key' then coalesce(
    (select key.name from api_key key where key.key_id = audit_entry.credential_id),
    (select ended.detail ->> 'name' from audit_entry ended
      where ended.target_id = audit_entry.credential_id and ended.target_type = 'api_key' limit 1)) end`

export type AuditFilter = {
  actorIds?: string[] | undefined
  actions?: string[] | undefined
  targetTypes?: string[] | undefined
  targetIds?: string[] | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Newest first; `after` is the last id of the previous page. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  let query = db
    .selectFrom('audit_entry')
    .selectAll()
    .select(apiKeyName.as('api_key_name'))
    .orderBy('audit_id', 'desc')
    .limit(limit)
  if (after !== undefined) query = query.where('audit_id', '<', after)
  const among = {
    actor_id: filter.actorIds,
    action: filter.actions,
    target_type: filter.targetTypes,
    target_id: filter.targetIds,
  }
  for (const [column, values] of Object.entries(among) as [keyof typeof among, string[] | undefined][]) {
    if (values !== undefined) query = query.where(column, '=', sql<string>`any(${values})`)
  }
  if (filter.from !== undefined) query = query.where('at', '>=', new Date(filter.from))
  if (filter.to !== undefined) query = query.where('at', '<', new Date(filter.to))
  const rows = await query.execute()
  return rows.map((row) => ({
    id: row.audit_id,
    at: row.at.toISOString(),
    actor: { kind: row.actor_kind, id: row.actor_id, email: row.actor_email },
    credential_id: row.credential_id,
    api_key_name: row.api_key_name,
    action: row.action,
    target: { type: row.target_type, id: row.target_id },
    detail: row.detail,
    address: row.address,
    request_id: row.request_id,
  }))
}
