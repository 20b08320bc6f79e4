import { sql } from 'kysely'
import type { Db } from './database.ts'
import { listTablesByReference, type TableClass } from './table-classes.ts'

/**
 * If the database has the Citus extension, distributes the tables by class; otherwise does nothing. Reference tables
 * come first, because others reference them. Within a class, referenced tables come first: Citus rejects a reference to
 * an unknown table. Tested with stubs, not with a Citus server.
 */
export async function distributeTables(db: Db): Promise<void> {
  if (!(await hasCitus(db))) return
  const done = await listPlacedTables(db)
  const tables = (await listTablesByReference(db)).filter(({ table }) => !done.has(table))
  for (const wanted of ['reference', 'distributed', 'local'] as const) {
    for (const { table } of tables.filter(({ tableClass }) => tableClass === wanted)) await place(db, table, wanted)
  }
}

async function place(db: Db, table: string, tableClass: TableClass): Promise<void> {
  const calls = {
    reference: sql`select create_reference_table(${table})`,
    distributed: sql`select create_distributed_table(${table}, 'cluster_id')`,
    local: sql`select citus_add_local_table_to_metadata(${table})`,
  }
  await calls[tableClass].execute(db)
}

async function hasCitus(db: Db): Promise<boolean> {
  const { rows } = await sql<{ there: boolean }>`select to_regclass('citus_tables') is not null as there`.execute(db)
  return rows[0]?.there === true
}

async function listPlacedTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ table: string }>`select table_name::text as "table" from citus_tables`.execute(db)
  return new Set(rows.map(({ table }) => table))
}
