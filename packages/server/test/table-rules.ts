import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'
import { listTableClasses, type TableClass } from '../src/platform/db/table-classes.ts'

type Key = { table: string; index: string; firstColumn: string | null; isPrimary: boolean }
type Reference = { table: string; target: string; columns: string[]; targetColumns: string[] }

/** Each violation of the rules of its class by a table, as a sentence. Reads only the database catalog. */
export async function findViolations(db: Db): Promise<string[]> {
  const classes = new Map((await listTableClasses(db)).map(({ table, tableClass }) => [table, tableClass]))
  const [keys, references, triggers, columns] = [
    await listKeys(db),
    await listReferences(db),
    await listTriggers(db),
    await listClusterIdTables(db),
  ]
  return [...classes].flatMap(([table, tableClass]) => {
    if (tableClass === null) return [`${table} has no class: begin its comment with distributed, reference or local`]
    const facts = {
      keys: keys.filter((each) => each.table === table),
      references: references.filter((each) => each.table === table),
      triggers: triggers.filter((each) => each.table === table).map(({ trigger }) => trigger),
      hasClusterId: columns.has(table),
    }
    const own = tableClass === 'distributed' ? brokenDistributed(table, facts) : []
    return [...own, ...facts.references.flatMap((each) => brokenReference(each, tableClass, classes))]
  })
}

type Facts = { keys: Key[]; triggers: string[]; hasClusterId: boolean }

function brokenDistributed(table: string, { keys, triggers, hasClusterId }: Facts): string[] {
  return [
    ...(hasClusterId ? [] : [`${table} is distributed and has no column cluster_id`]),
    ...(keys.some(({ isPrimary }) => isPrimary) ? [] : [`${table} is distributed and has no primary key`]),
    ...keys
      .filter(({ firstColumn }) => firstColumn !== 'cluster_id')
      .map(({ index }) => `${table} is distributed and its unique index ${index} does not begin with cluster_id`),
    ...triggers.map((trigger) => `${table} is distributed and has the trigger ${trigger}`),
  ]
}

const mayPointTo: Record<TableClass, TableClass[]> = {
  distributed: ['distributed', 'reference'],
  reference: ['reference'],
  local: ['local', 'reference'],
}

function brokenReference(
  reference: Reference,
  tableClass: TableClass,
  classes: Map<string, TableClass | null>,
): string[] {
  const { table, target, columns, targetColumns } = reference
  const targetClass = classes.get(target) ?? null
  if (targetClass === null || !mayPointTo[tableClass].includes(targetClass)) {
    return [`${table} is ${tableClass} and points to ${target}, which is ${targetClass ?? 'of no class'}`]
  }
  const staysInside = columns.some((column, at) => column === 'cluster_id' && targetColumns[at] === 'cluster_id')
  return targetClass === 'distributed' && !staysInside
    ? [`${table} points to ${target} without cluster_id and so into other clusters`]
    : []
}

/** Expressions have no column name. */
async function listKeys(db: Db): Promise<Key[]> {
  const { rows } = await sql<Key>`
    select t.relname as "table", i.relname as "index", a.attname as "firstColumn", x.indisprimary as "isPrimary"
    from pg_index x
    join pg_class t on t.oid = x.indrelid
    join pg_class i on i.oid = x.indexrelid
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = x.indkey[0] and a.attnum > 0
    where t.relnamespace = 'public'::regnamespace and (x.indisunique or x.indisexclusion)
    order by 1, 2`.execute(db)
  return rows
}

async function listReferences(db: Db): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select t.relname as "table", f.relname as target,
           array(select attname::text from unnest(c.conkey) with ordinality k(num, at)
                 join pg_attribute on attrelid = t.oid and attnum = num order by at) as columns,
           array(select attname::text from unnest(c.confkey) with ordinality k(num, at)
                 join pg_attribute on attrelid = f.oid and attnum = num order by at) as "targetColumns"
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
    where c.contype = 'f' and c.conparentid = 0 and t.relnamespace = 'public'::regnamespace
    order by 1, 2`.execute(db)
  return rows
}

async function listTriggers(db: Db): Promise<{ table: string; trigger: string }[]> {
  const { rows } = await sql<{ table: string; trigger: string }>`
    select t.relname as "table", g.tgname as trigger
    from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where not g.tgisinternal and t.relnamespace = 'public'::regnamespace
    order by 1, 2`.execute(db)
  return rows
}

async function listClusterIdTables(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ table: string }>`
    select t.relname as "table" from pg_attribute a join pg_class t on t.oid = a.attrelid
    where a.attname = 'cluster_id' and not a.attisdropped and t.relnamespace = 'public'::regnamespace`.execute(db)
  return new Set(rows.map(({ table }) => table))
}
