import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { recordEvents } from '../../platform/events.ts'
import { activeMs, staleMs } from '../connection.ts'

type Connection = 'connected' | 'stale' | 'disconnected'

/** Records which agents became silent or report again, with one event for each change. */
export async function recordConnections(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ clusterId: string; reason: Connection }>`
      with seen as (
        select cluster_id, case
          when agent_last_seen_at >= ${ago(activeMs)} then 'connected'
          when agent_last_seen_at >= ${ago(staleMs)} then 'stale'
          else 'disconnected' end as connection
        from cluster_state where agent_last_seen_at is not null)
      update cluster_state s set connection = seen.connection from seen
      where s.cluster_id = seen.cluster_id and s.connection <> seen.connection
      returning s.cluster_id as "clusterId", s.connection as reason`.execute(tx)
    const subject = { type: 'condition', id: 'connection' }
    await recordEvents(
      tx,
      rows.map(({ clusterId, reason }) => {
        const data = { ok: reason === 'connected', reason }
        return { kind: 'condition.changed' as const, at: now, clusterId, subject, data }
      }),
    )
  })
}
