import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import { withName } from './preparing-client.ts'

/**
 * For the few statements that every request runs: written as the SQL they are, so that nothing is built, and prepared by
 * name, so that each connection parses and plans them once. A name stands for one text for ever.
 */
export async function prepared<Row>(db: Db, name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(withName(name, text), [...values]))).rows
}
