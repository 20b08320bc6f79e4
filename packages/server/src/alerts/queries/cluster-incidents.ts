import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The parts of a cluster start with its ID. A running evaluation stores no parts of deleted clusters. */
export async function deleteClusterIncidents(tx: Db, clusterId: string): Promise<void> {
  await sql`
    update incident_state set steps = (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(steps) where split_part(key, '/', 1) <> ${clusterId})`.execute(
    tx,
  )
  await sql`delete from incident where split_part(data ->> 'part', '/', 1) = ${clusterId}`.execute(tx)
}
