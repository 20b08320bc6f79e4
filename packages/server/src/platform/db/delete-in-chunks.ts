import { sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'

const rowsAtOnce = 10_000

/** In short statements with short locks. */
export async function deleteInChunks(db: Db, table: string, where: RawBuilder<unknown>): Promise<void> {
  let removed: bigint
  do {
    const result = await sql`
      delete from ${sql.table(table)} where ${where} and ctid = any(array(
        select ctid from ${sql.table(table)} where ${where} limit ${rowsAtOnce}))`.execute(db)
    removed = result.numAffectedRows ?? 0n
  } while (removed > 0n)
}
