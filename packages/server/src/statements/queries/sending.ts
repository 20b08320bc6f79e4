import { hourMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export async function findSentMonth(db: Db): Promise<string> {
  const row = await db.selectFrom('statement_sending').select('sent_month').executeTakeFirstOrThrow()
  return row.sent_month
}

/** One server at a time sends statements. */
export async function lockSentMonth(tx: Db): Promise<string> {
  const row = await tx.selectFrom('statement_sending').select('sent_month').forUpdate().executeTakeFirstOrThrow()
  return row.sent_month
}

export async function writeSentMonth(tx: Db, month: string): Promise<void> {
  await tx.updateTable('statement_sending').set({ sent_month: month, waiting_since: null }).execute()
}

/** The first attempt to send the next statements. */
export async function noteWaiting(db: Db, now: Date): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`
    update statement_sending set waiting_since = coalesce(waiting_since, ${now})
    returning waiting_since as since`.execute(db)
  return rows[0]?.since ?? now
}

/** A cluster whose data of a month may still arrive. */
export type UnfinishedCluster = { readonly name: string; readonly seenAt: Date | null; readonly writtenAt: Date | null }

/**
 * Clusters with data of the month, but without its last hour; or with an hour of the month that was stored after
 * `writtenAfter`. A cluster that sent nothing since the month began was retired before.
 */
export async function listUnfinishedClusters(
  db: Db,
  { from, to }: { from: Date; to: Date },
  writtenAfter: Date,
): Promise<UnfinishedCluster[]> {
  const last = new Date(to.getTime() - hourMs)
  const { rows } = await sql<UnfinishedCluster>`
    select name, agent_last_seen_at as "seenAt", written_at as "writtenAt"
    from cluster join cluster_state using (cluster_id), lateral (
      select max(hour) as newest, max(written_at) filter (where hour < ${to}) as written_at
      from folded_hour h where h.cluster_id = cluster.cluster_id and hour >= ${from}) month
    where newest < ${last} or written_at > ${writtenAfter}
    order by name`.execute(db)
  return rows
}
