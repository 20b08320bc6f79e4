import { dayMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from './database.ts'

/** Tables that grow with time are partitioned by day: creating a day and dropping old days are both cheap. */
export type PartitionedTable =
  | 'ingest_body'
  | 'workload_hour'
  | 'workload_day'
  | 'workload_running_total'
  | 'node_hour'
  | 'node_day'
  | 'asset_hour'
  | 'asset_day'
  | 'usage_hour'
  | 'usage_histogram'
  | 'pod_hour'
  | 'pod_day'

/**
 * Called before the rows are written, outside their transaction, because several replicas may need the same day. The
 * partition is created separately and then attached, so it neither waits for nor blocks other days.
 */
export async function ensureDay(db: Db, table: PartitionedTable, at: Date): Promise<void> {
  const name = partitionName(table, at)
  if (await isAttached(db, table, name)) return
  const from = dayText(at)
  const to = dayText(new Date(at.getTime() + dayMs))
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('plimsoll partitions', 0))`.execute(tx)
    if (await isAttached(tx, table, name)) return
    await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all)`.execute(tx)
    await sql`
      alter table ${sql.table(table)} attach partition ${sql.table(name)}
      for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(tx)
  })
}

async function isAttached(db: Db, table: PartitionedTable, name: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = ${table}::regclass and relname = ${name}`.execute(db)
  return rows.length > 0
}

/** Drops days that end before this time. */
export async function dropDaysBefore(db: Db, table: PartitionedTable, before: Date): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass`.execute(db)
  const oldest = partitionName(table, before)
  for (const { name } of rows) if (name < oldest) await sql`drop table if exists ${sql.table(name)}`.execute(db)
}

const dayText = (at: Date) => at.toISOString().slice(0, 10)

const partitionName = (table: PartitionedTable, at: Date) => `${table}_${dayText(at).replaceAll('-', '')}`
