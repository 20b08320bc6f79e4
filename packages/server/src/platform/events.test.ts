import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../../test/test-app.ts'
import { isEventAfter } from './events.ts'

const t = useTestApp()

/** Events of all transactions so far, as after weeks of finalised hours. */
beforeAll(async () => {
  await sql`
    insert into event (at, cluster_id, kind, subject_type, subject_id, data, xid)
    select now(), 'cls_' || n % 10, 'hour.finalised', 'hour', n::text, '{}',
      (1 + n % (pg_current_xact_id()::text::bigint - 1))::text::xid8
    from generate_series(1, 30000) n`.execute(t.db)
  await sql`analyze event`.execute(t.db)
})

type Plan = { 'Index Name'?: string; 'Index Cond'?: string; 'Actual Rows': number; Plans?: Plan[] }

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

async function explain(query: ReturnType<typeof sql>): Promise<Plan[]> {
  const { rows } = await sql<{ 'QUERY PLAN': { Plan: Plan }[] }>`explain (analyze, format json) ${query}`.execute(t.db)
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap((each) => nodesOf(each.Plan)))
}

test('the index finds the new events, and reads no others', async () => {
  // Above all events. The horizon of the service may be lower while transactions of other databases run.
  const { rows } = await sql<{ horizon: string }>`select pg_current_xact_id()::text as horizon`.execute(t.db)
  const horizon = rows[0]?.horizon ?? ''
  await sql`update alert_delivery set evaluated_xid = ${horizon}::xid8`.execute(t.db)
  const byText = await explain(sql`select distinct cluster_id from event
    where ${isEventAfter(sql`${horizon}`)} and kind like 'hour.%' and cluster_id is not null`)
  const byColumn = await explain(sql`select exists (
    select from event where ${isEventAfter(sql.ref('evaluated_xid'))} and kind like 'hour.%') from alert_delivery`)
  for (const plan of [byText, byColumn]) {
    const scan = plan.find((each) => each['Index Name'] === 'event_xid')
    expect(scan?.['Index Cond']).toContain('xid >=')
    expect(scan?.['Actual Rows']).toBe(0)
  }
})

test('a horizon of another database counts as none', async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from event where ${isEventAfter(sql`${'9000000000000'}`)}`.execute(t.db)
  expect(rows[0]?.count).toBeGreaterThanOrEqual(30_000)
})
