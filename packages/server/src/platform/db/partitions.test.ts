import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestApp } from '../../../test/test-app.ts'
import { dropDaysBefore, ensureDay } from './partitions.ts'

const t = useTestApp()
const first = new Date('2026-03-01T00:00:00Z')
const second = new Date('2026-03-02T00:00:00Z')

async function partsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = ${table}::regclass
    order by 1`.execute(t.db)
  return rows.map(({ name }) => name)
}

test('a day is created once by concurrent callers, and dropped when it expires', async () => {
  await Promise.all([1, 2, 3, 4].map(() => ensureDay(t.db, 'node_hour', first)))
  await ensureDay(t.db, 'node_hour', second)
  expect(await partsOf('node_hour')).toEqual(['node_hour_20260301', 'node_hour_20260302'])
  await dropDaysBefore(t.db, 'node_hour', second)
  expect(await partsOf('node_hour')).toEqual(['node_hour_20260302'])
})

test('a day has every index of its table', async () => {
  await ensureDay(t.db, 'workload_hour', first)
  const { rows } = await sql<{ table: string; indexes: string }>`
    select indrelid::regclass::text as table, count(*)::text as indexes from pg_index
    where indrelid in ('workload_hour'::regclass, 'workload_hour_20260301'::regclass) group by 1 order by 1`.execute(
    t.db,
  )
  expect(rows.map(({ table }) => table)).toEqual(['workload_hour', 'workload_hour_20260301'])
  expect(rows[0]?.indexes).toBe(rows[1]?.indexes)
})

test('creating a day neither waits for nor blocks readers and writers of other days', async () => {
  await ensureDay(t.db, 'asset_hour', first)
  await t.db.transaction().execute(async (writing) => {
    await sql`lock table asset_hour in row exclusive mode`.execute(writing)
    await ensureDay(t.db, 'asset_hour', second)
  })
  expect(await partsOf('asset_hour')).toEqual(['asset_hour_20260301', 'asset_hour_20260302'])
})
