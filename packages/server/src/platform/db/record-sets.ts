import { sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'

const recordsAtOnce = 2_000

/** Column names with the SQL types of their values. */
export type RecordTypes = Readonly<Record<string, string>>

/** Runs a statement over many rows, a few thousand at a time, to limit the size of the text and the memory. */
export async function forRecords<Row>(
  tx: Db,
  {
    rows,
    recordOf,
    types,
    statement,
  }: {
    rows: readonly Row[]
    recordOf: (row: Row) => object
    types: RecordTypes
    statement: (recordset: RawBuilder<unknown>) => RawBuilder<unknown>
  },
): Promise<void> {
  const declared = sql.join(Object.entries(types).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))
  for (let first = 0; first < rows.length; first += recordsAtOnce) {
    const text = JSON.stringify(rows.slice(first, first + recordsAtOnce).map(recordOf))
    await statement(sql`json_to_recordset(${text}::json) as record (${declared})`).execute(tx)
  }
}

export const columnRefs = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql.ref(name)))

/** For `on conflict … do update set`: replaces the old values. */
export const replaced = (names: readonly string[]): RawBuilder<unknown> =>
  sql.join(names.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`))
