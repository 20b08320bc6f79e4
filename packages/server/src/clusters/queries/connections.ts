import { sql } from 'kysely'
import { evaluateRule } from '../../alerts/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { recordEvents } from '../../platform/events.ts'
import { activeMs, staleMs } from '../connection.ts'
import { silentCondition, type SilentCluster } from '../silent-condition.ts'

type Connection = 'connected' | 'stale' | 'disconnected'

type Changed = { clusterId: string; reason: Connection }

/** Records which agents became silent or report again, with one event for each change, and an alert for each silence. */
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
    const conditions = (await listSilent(tx)).map(silentCondition)
    await evaluateRule(tx, { rule: 'cluster_silent', conditions }, now)
  })
}

/** Two servers may sweep at once: the update of the second waits, and then finds nothing to change. */
async function updateConnections(tx: Db, now: Date): Promise<Changed[]> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<Changed>`
    with seen as (
      select s.cluster_id, case
        when agent_last_seen_at >= ${ago(activeMs)} then 'connected'
        when agent_last_seen_at >= ${ago(staleMs)} then 'stale'
        else 'disconnected' end as connection
      from cluster_state s where agent_last_seen_at is not null)
    update cluster_state s set connection = seen.connection,
      silent_since = case when seen.connection = 'disconnected' then s.agent_last_seen_at end
    from seen
    where s.cluster_id = seen.cluster_id and s.connection <> seen.connection
    returning s.cluster_id as "clusterId", s.connection as reason`.execute(tx)
  return rows
}

/** Null `silent_since`: the agent reports. A deleted cluster has no name, and is not silent. */
async function listSilent(tx: Db): Promise<SilentCluster[]> {
  const { rows } = await sql<SilentCluster>`
    select s.cluster_id as "clusterId", c.name, s.silent_since as "lastSeenAt"
    from cluster_state s join cluster c on c.cluster_id = s.cluster_id
    where s.silent_since is not null`.execute(tx)
  return rows
}
