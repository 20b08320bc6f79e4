import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import { withName } from './preparing-client.ts'

/**
 * For the few statements of every request: plain SQL, so that nothing is built, and prepared by name, so that each
 * connection parses and plans them once. A name always belongs to the same text.
 */
export async function prepared<Row>(db: Db, name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(withName(name, text), [...values]))).rows
}
