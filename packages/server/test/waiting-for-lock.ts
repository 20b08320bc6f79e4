import { sql } from 'kysely'
import type { Db } from '../src/db/database.ts'

/** Whether a request waits for another transaction: the moment a test of such a meeting has to wait for. */
export async function isWaitingForLock(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows.length > 0
}
