import { sql } from 'kysely'
import type { Db } from './database.ts'

export type TableClass = 'distributed' | 'reference' | 'local'

/** The class of a table is the first word of its comment, so the migration that creates the table sets it. */
export async function listTableClasses(db: Db): Promise<{ table: string; tableClass: TableClass | null }[]> {
  const { rows } = await sql<{ table: string; tableClass: TableClass | null }>`
    select c.relname as "table",
           substring(obj_description(c.oid, 'pg_class') from '^(distributed|reference|local): ') as "tableClass"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`.execute(db)
  return rows
}

/** The public tables with a class, each after the tables that it references. */
export async function listTablesByReference(db: Db): Promise<{ table: string; tableClass: TableClass }[]> {
  const { rows: references } = await sql<{ from: string; to: string }>`
    select k.conrelid::regclass::text as "from", k.confrelid::regclass::text as "to"
    from pg_constraint k
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.confrelid <> k.conrelid`.execute(db)
  const classes = new Map((await listTableClasses(db)).map(({ table, tableClass }) => [table, tableClass]))
  const ordered = new Set<string>()
  const add = (table: string) => {
    if (ordered.has(table) || !classes.has(table)) return
    for (const { to } of references.filter(({ from }) => from === table)) add(to)
    ordered.add(table)
  }
  for (const table of classes.keys()) add(table)
  return [...ordered].flatMap((table) => {
    const tableClass = classes.get(table) ?? null
    return tableClass === null ? [] : [{ table, tableClass }]
  })
}

/** Referencing tables come before their targets, so that they can be emptied in this order. */
export async function listDistributedTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    with recursive held as (
      select c.oid, 0 as depth
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and obj_description(c.oid, 'pg_class') like 'distributed: %'
      union
      select k.confrelid, held.depth + 1
      from held join pg_constraint k on k.conrelid = held.oid and k.contype = 'f' and k.confrelid <> k.conrelid
      where held.depth < 100)
    select c.relname as "table" from held join pg_class c using (oid)
    where obj_description(c.oid, 'pg_class') like 'distributed: %'
    group by c.relname order by max(held.depth), c.relname`.execute(db)
  return rows.map(({ table }) => table)
}
