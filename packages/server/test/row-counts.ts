import type { TestDatabase } from './test-database.ts'

/** Counters and last uses are written by every request, including rejected ones. */
const ofEveryRequest = ['rate_limit', 'last_use']

/** The number of rows of each table: equal counts before and after mean that nothing was written. */
export async function rowCounts({ pool }: Pick<TestDatabase, 'pool'>): Promise<Record<string, number>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all($1) order by 1`,
    [ofEveryRequest],
  )
  const counts = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`)
  const { rows } = await pool.query<{ name: string; count: number }>(counts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}
