import { sql } from 'kysely'
import { queueMessage } from '../../channels/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { recordEvents } from '../../platform/events.ts'
import { activeMs, staleMs } from '../connection.ts'
import { silentMessage } from '../silent-message.ts'

type Connection = 'connected' | 'stale' | 'disconnected'

type Changed = {
  clusterId: string
  /** Null: the cluster has been deleted. */
  name: string | null
  reason: Connection
  lastSeenAt: Date
  /** The silence that has ended, or null. */
  silentSince: Date | null
}

/** Records which agents became silent or report again, with one event for each change, and a message for each silence. */
export async function recordConnections(db: Db, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const changed = await updateConnections(tx, now)
    const subject = { type: 'condition', id: 'connection' }
    await recordEvents(
      tx,
      changed.map(({ clusterId, reason }) => {
        const data = { ok: reason === 'connected', reason }
        return { kind: 'condition.changed' as const, at: now, clusterId, subject, data }
      }),
    )
    for (const each of changed) await queueSilence(tx, each, now)
  })
}

/** Two servers may sweep at once: the update of the second waits, and then finds nothing to change. */
async function updateConnections(tx: Db, now: Date): Promise<Changed[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<Changed>`
    with seen as (
      select s.cluster_id, c.name, s.silent_since, case
        when agent_last_seen_at >= ${ago(activeMs)} then 'connected'
        when agent_last_seen_at >= ${ago(staleMs)} then 'stale'
        else 'disconnected' end as connection
      from cluster_state s left join cluster c on c.cluster_id = s.cluster_id where agent_last_seen_at is not null)
    update cluster_state s set connection = seen.connection,
      silent_since = case when seen.connection = 'disconnected' then s.agent_last_seen_at end
    from seen
    where s.cluster_id = seen.cluster_id and s.connection <> seen.connection
    returning s.cluster_id as "clusterId", seen.name, s.connection as reason,
      s.agent_last_seen_at as "lastSeenAt", seen.silent_since as "silentSince"`.execute(tx)
  return rows
}

async function queueSilence(tx: Db, changed: Changed, now: Date): Promise<void> {
  const { clusterId, name, reason, lastSeenAt, silentSince } = changed
  if (name === null) return
  if (reason === 'disconnected') {
    const message = silentMessage({ clusterId, name, since: lastSeenAt, endedAt: null })
    await queueMessage(tx, { message, transition: 'firing' }, now)
  } else if (silentSince !== null) {
    const message = silentMessage({ clusterId, name, since: silentSince, endedAt: now })
    await queueMessage(tx, { message, transition: 'resolved' }, now)
  }
}
