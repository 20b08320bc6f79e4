import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type AgentTokenRow = {
  token_id: string
  cluster_id: string
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

export async function insertAgentToken(
  tx: Db,
  { tokenId, clusterId, mac, now }: { tokenId: string; clusterId: string; mac: Buffer; now: Date },
): Promise<void> {
  await tx
    .insertInto('agent_token')
    .values({ token_id: tokenId, cluster_id: clusterId, secret_mac: mac, created_at: now })
    .execute()
}

/** Newest first, those that have not expired. */
export function listAgentTokens(
  db: Db,
  clusterId: string,
  { after, limit, now }: { after: string | undefined; limit: number; now: Date },
): Promise<AgentTokenRow[]> {
  const query = db
    .selectFrom('agent_token')
    .leftJoin('last_use', 'last_use.subject_id', 'agent_token.token_id')
    .select(['token_id', 'cluster_id', 'created_at', 'expires_at', 'last_use.at as last_used_at'])
    .where('cluster_id', '=', clusterId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .orderBy('token_id', 'desc')
    .limit(limit)
  return (after === undefined ? query : query.where('token_id', '<', after)).execute()
}

export async function deleteExpiredAgentTokens(db: Db, now: Date): Promise<void> {
  await sql`
    with gone as (delete from agent_token where expires_at <= ${now} returning token_id)
    delete from last_use where subject_id in (select token_id from gone)`.execute(db)
}

/** An older token with an earlier expiry keeps it. */
export async function expireAgentTokens(tx: Db, clusterId: string, at: Date): Promise<string[]> {
  const rows = await tx
    .updateTable('agent_token')
    .set({ expires_at: at })
    .where('cluster_id', '=', clusterId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .returning('token_id')
    .execute()
  return rows.map((row) => row.token_id)
}

/** Its creation time; undefined: not found. */
export async function deleteAgentToken(tx: Db, clusterId: string, tokenId: string): Promise<Date | undefined> {
  const gone = await tx
    .deleteFrom('agent_token')
    .where('cluster_id', '=', clusterId)
    .where('token_id', '=', tokenId)
    .returning('created_at')
    .executeTakeFirst()
  await tx.deleteFrom('last_use').where('subject_id', '=', tokenId).execute()
  return gone?.created_at
}
