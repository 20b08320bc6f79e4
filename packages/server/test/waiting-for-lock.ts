import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

/** Whether requests wait for another transaction. */
export async function isWaitingForLock(db: Db, requests = 1): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length >= requests
}
