import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** Every table of hours. */
export const hourTables = [
  'workload_hour',
  'node_hour',
  'asset_hour',
  'namespace_hour',
  'cluster_hour',
  'usage_hour',
  'usage_histogram',
  'pod_hour',
]

export type Fingerprint = Record<string, { rows: number; md5: string | null }>

/** A hash of every stored integer of the hours of a cluster, without the number of writes. */
export async function storedFingerprint(db: Db, clusterId: string): Promise<Fingerprint> {
  const fingerprint: Fingerprint = {}
  for (const table of hourTables) {
    const { rows } = await sql<{ rows: number; md5: string | null }>`
      select count(*)::int as rows, md5(string_agg(text, ';' order by text)) as md5
      from (select (to_jsonb(h) - 'cluster_id')::text as text from ${sql.table(table)} h
        where cluster_id = ${clusterId}) row`.execute(db)
    fingerprint[table] = rows[0] ?? { rows: 0, md5: null }
  }
  return fingerprint
}
