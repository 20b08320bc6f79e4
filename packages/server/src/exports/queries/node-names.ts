import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** By UID. */
export async function listNodeNames(tx: Db, clusterId: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ uid: string; name: string }>`
    select node_uid as uid, name from node where cluster_id = ${clusterId}`.execute(tx)
  return new Map(rows.map(({ uid, name }) => [uid, name]))
}
