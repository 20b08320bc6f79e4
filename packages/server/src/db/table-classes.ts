import { sql } from 'kysely'
import type { Db } from './database.ts'

export type TableClass = 'distributed' | 'reference' | 'local'

/** The class of a table is the first word of its comment, so it is written where the table is made. */
export async function listTableClasses(db: Db): Promise<{ table: string; tableClass: TableClass | null }[]> {
  const { rows } = await sql<{ table: string; tableClass: TableClass | null }>`
    select c.relname as "table",
           substring(obj_description(c.oid, 'pg_class') from '^(distributed|reference|local): ') as "tableClass"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`.execute(db)
  return rows
}
