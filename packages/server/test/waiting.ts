import { expect } from 'vitest'
import type { TestDatabase } from './test-database.ts'
import { patience } from './patience.ts'

/** Returns once a statement of this database waits for an advisory lock of another transaction. */
export async function untilSomebodyWaits({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  const waiting = async () => {
    const { rowCount } = await pool.query(`
      select from pg_locks
      where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())`)
    return rowCount
  }
  await expect.poll(waiting, patience).toBe(1)
}
