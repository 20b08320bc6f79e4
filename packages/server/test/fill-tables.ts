import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'
import { listDistributedTables } from '../src/platform/db/table-classes.ts'

type Column = { table: string; column: string; type: string; required: boolean }

/**
 * Inserts rows of a cluster into every table with a cluster, whatever its columns, so future tables are covered too.
 * A value depends only on its type and the row number, so keys within a cluster match.
 */
export async function fillClusterTables(db: Db, clusterId: string, rowsPerTable: number): Promise<void> {
  await openPartitions(db)
  const columns = await listColumns(db)
  const distributed = (await listDistributedTables(db)).reverse()
  const others = columns
    .filter(
      ({ table, column }) => column === 'cluster_id' && !distributed.includes(table) && !madeByRequests.has(table),
    )
    .map(({ table }) => table)
  for (const table of [...distributed, ...others]) {
    const needed = columns.filter((each) => each.table === table && each.required && each.column !== 'cluster_id')
    // A key of another table does not include the cluster.
    const prefix = distributed.includes(table) ? '' : `${clusterId} `
    for (let row = 1; row <= rowsPerTable; row += 1)
      await insertRow(db, { table, clusterId, columns: needed, row, prefix })
  }
}

/** A table partitioned by time accepts rows only in an existing partition. */
async function openPartitions(db: Db): Promise<void> {
  const { rows } = await sql<{ table: string }>`
    select relname as "table" from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'p' and not relispartition`.execute(db)
  for (const { table } of rows) {
    const rest = sql.table(`${table}_rest`)
    await sql`create table if not exists ${rest} partition of ${sql.table(table)} default`.execute(db)
  }
}

/** The API fills these; they are deleted with their cluster. */
const madeByRequests = new Set([
  'cluster',
  'agent_token',
  'cluster_tombstone',
  'deleted_agent_token',
  'job',
  'price_override',
])

type NewRow = { table: string; clusterId: string; columns: Column[]; row: number; prefix: string }

async function insertRow(db: Db, { table, clusterId, columns, row, prefix }: NewRow): Promise<void> {
  const names = ['cluster_id', ...columns.map(({ column }) => column)].map((name) => sql.ref(name))
  const values = [
    sql`${clusterId}`,
    ...columns.map(
      (column) => sql`${(column.type === 'text' ? prefix : '') + valueOf(column, row)}::text::${sql.raw(column.type)}`,
    ),
  ]
  await sql`
    insert into ${sql.table(table)} (${sql.join(names)}) values (${sql.join(values)}) on conflict do nothing`.execute(
    db,
  )
}

function valueOf({ table, column, type }: Column, row: number): string {
  if (type.endsWith('[]')) return '{}'
  const value = samples[type]?.(row)
  if (value === undefined) throw new Error(`teach fill-tables.ts a value of the type ${type} for ${table}.${column}`)
  return value
}

const number = (row: number) => String(row)
const moment = (row: number) => new Date(Date.UTC(2026, 0, 1, row)).toISOString()

const samples: Record<string, (row: number) => string> = {
  text: (row) => `row ${row}`,
  smallint: number,
  integer: number,
  bigint: number,
  numeric: number,
  real: number,
  'double precision': number,
  boolean: () => 'false',
  date: moment,
  'timestamp with time zone': moment,
  json: () => '{}',
  jsonb: () => '{}',
  bytea: (row) => `\\x${row.toString(16).padStart(2, '0')}`,
  uuid: (row) => `00000000-0000-4000-8000-${String(row).padStart(12, '0')}`,
}

/** Columns with a default keep the default. */
async function listColumns(db: Db): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select t.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type,
           a.attnotnull and not a.atthasdef and a.attidentity = '' as required
    from pg_attribute a join pg_class t on t.oid = a.attrelid
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition and a.attnum > 0 and not a.attisdropped`.execute(db)
  return rows
}

/**
 * The number of rows of each table, including the queue, that contain one of these texts; tables without one are
 * omitted.
 */
export async function countMentions(db: Db, texts: string[]): Promise<Record<string, number>> {
  const { rows: tables } = await sql<{ schema: string; table: string }>`
    select n.nspname as schema, t.relname as "table" from pg_class t join pg_namespace n on n.oid = t.relnamespace
    where n.nspname in ('public', 'graphile_worker') and t.relkind = 'r'
    order by n.nspname, t.relname`.execute(db)
  const mentions: Record<string, number> = {}
  for (const { schema, table } of tables) {
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from ${sql.id(schema, table)} as held
      where exists (select from unnest(${texts}::text[]) as text where strpos(held::text, text) > 0)`.execute(db)
    const count = rows[0]?.count ?? 0
    if (count > 0) mentions[schema === 'public' ? table : `${schema}.${table}`] = count
  }
  return mentions
}
