import { sql, type RawBuilder } from 'kysely'
import type { Db } from './db/database.ts'
import { deleteInChunks } from './db/delete-in-chunks.ts'

export type EventKind =
  | `hour.${'finalised' | 'repriced'}`
  | 'condition.changed'
  | `recommendation.${'created' | 'updated' | 'status' | 'closed' | 'verification'}`
  | `cluster.${'create' | 'delete'}`
  | `agent_token.${'create' | 'expire' | 'revoke'}`
  | `user.${'create' | 'update' | 'delete' | 'make_link' | 'accept_link' | 'change_password'}`
  | `role.${'create' | 'update' | 'delete'}`
  | `api_key.${'create' | 'revoke'}`
  | 'signing_key.rotate'

export type NewEvent = {
  kind: EventKind
  at: Date
  /** Null: about no cluster. */
  clusterId: string | null
  subject: { type: string; id: string }
  /** Small, and never a secret, a name or an address. */
  data?: object
}

/** In the transaction of the cause: both are stored or neither is. One statement for all events. */
export async function recordEvents(tx: Db, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return
  const records = events.map(({ kind, at, clusterId, subject, data = {} }) => ({
    kind,
    at,
    cluster_id: clusterId,
    subject_type: subject.type,
    subject_id: subject.id,
    data,
  }))
  await sql`
    insert into event (at, cluster_id, kind, subject_type, subject_id, data)
    select at, cluster_id, kind, subject_type, subject_id, data
    from rows from (jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as (at timestamptz, cluster_id text, kind text, subject_type text, subject_id text, data jsonb))
      with ordinality as r (at, cluster_id, kind, subject_type, subject_id, data, position)
    order by position`.execute(tx)
}

/** All events of transactions below the horizon are visible. Events at or above it may be read again. */
export async function findEventHorizon(db: Db): Promise<string> {
  const { rows } = await sql<{ horizon: string }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon`.execute(db)
  return rows[0]?.horizon ?? '0'
}

/**
 * The condition for events that came after a horizon, which is a column or a text. After a database was restored, the numbers
 * of transactions start again: a horizon above the newest transaction counts as none. The column is alone on its side of each
 * comparison, so that the index finds the few new events among those of weeks.
 */
export const isEventAfter = (horizon: RawBuilder<unknown>) => sql<boolean>`(
  xid >= case when ${horizon}::xid8 < pg_snapshot_xmax(pg_current_snapshot()) then ${horizon}::xid8 else '0'::xid8 end
  and xid < pg_snapshot_xmax(pg_current_snapshot()))`

export async function deleteOldEvents(db: Db, before: Date): Promise<void> {
  await deleteInChunks(db, 'event', sql`at < ${before}`)
}

export async function deleteClusterEvents(db: Db, clusterId: string): Promise<void> {
  await deleteInChunks(db, 'event', sql`cluster_id = ${clusterId}`)
}
