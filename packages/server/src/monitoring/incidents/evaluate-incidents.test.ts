import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { oneNode } from '../../../test/stored-hours.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { evaluateAlerts } from '../jobs/evaluate-alerts.ts'

const t = useTestApp()
const hourMs = 3_600_000
const tables = ['folded_hour', 'workload_hour', 'namespace_hour', 'cluster_hour', 'node_hour'] as const

let clusterId: string
let newest: Date

/** The newest hour once more, this many hours earlier or later. */
const copyHours = async (from: number, to: number) => {
  for (const table of tables)
    await sql`
      insert into ${sql.table(table)}
      select (jsonb_populate_record(null::${sql.table(table)},
        to_jsonb(h) || jsonb_build_object('hour', h.hour + make_interval(hours => n)))).*
      from ${sql.table(table)} h, generate_series(${from}::integer, ${to}::integer) n
      where h.cluster_id = ${clusterId} and h.hour = ${newest} on conflict do nothing`.execute(t.db)
}

beforeAll(async () => {
  ;({ clusterId } = await aFoldedCluster(t, oneNode))
  const hour = await sql<{ hour: Date }>`select max(hour) as hour from folded_hour`.execute(t.db)
  newest = hour.rows[0]?.hour ?? new Date(0)
  for (const table of ['workload_hour', 'node_hour'])
    await sql`create table ${sql.table(`${table}_rest`)} partition of ${sql.table(table)} default`.execute(t.db)
  await copyHours(-40 * 24, -1)
  await copyHours(1, 30)
})

/** The workload requests much more from now on, on nodes that are added for it. */
async function raiseCost(fromHour: number, factor: number): Promise<void> {
  const since = new Date(newest.getTime() + fromHour * hourMs)
  const { rows } = await sql<{ name: string; cpu: string }>`
    select workload_name as name, sum(cpu_alloc)::bigint as cpu from workload_hour
    where cluster_id = ${clusterId} and hour = ${newest} group by 1 order by 1 limit 1`.execute(t.db)
  const [workload] = rows
  const more = BigInt(workload?.cpu ?? 0) * BigInt(factor)
  await sql`update workload_hour set cpu_alloc = cpu_alloc + ${more}::bigint, cpu_request = cpu_request + ${more}::bigint
    where cluster_id = ${clusterId} and hour > ${since} and workload_name = ${workload?.name ?? ''}`.execute(t.db)
  await sql`update namespace_hour set cpu_alloc = cpu_alloc + ${more}::bigint
    where cluster_id = ${clusterId} and hour > ${since}`.execute(t.db)
  await sql`update cluster_hour set cpu_alloc = cpu_alloc + ${more}::bigint, cpu_capacity = cpu_capacity + ${more}::bigint
    where cluster_id = ${clusterId} and hour > ${since}`.execute(t.db)
}

/** The hours after this one are not finalised yet. */
async function evaluateAt(hour: number): Promise<void> {
  const at = new Date(newest.getTime() + hour * hourMs)
  await sql`delete from folded_hour where cluster_id = ${clusterId} and hour > ${at}`.execute(t.db)
  t.clock.now = new Date(at.getTime() + hourMs + 60_000)
  await evaluateAlerts(t.deps)
}

const incidentAlerts = () =>
  t.db
    .selectFrom('alert')
    .select(['state', 'content', 'namespace', 'alert_id'])
    .where('rule', '=', 'cost_above_expected')
    .orderBy('alert_id')
    .execute()

test('a rise opens one incident, a repeated hour opens none, and accepting makes the cost normal', async () => {
  await raiseCost(0, 40)
  await evaluateAt(0)
  expect(await incidentAlerts()).toEqual([])
  await copyHoursFolded(24)
  await evaluateAt(24)
  const [alert, ...others] = await incidentAlerts()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ state: 'firing', namespace: expect.any(String) as string })
  expect(alert?.content.money?.amount).toBeGreaterThan(1)
  expect(alert?.content.facts.map(({ label }) => label)).toContain('Cause')
  await evaluateAlerts(t.deps)
  expect(await incidentAlerts()).toHaveLength(1)

  const accepted = { at: t.clock.now.toISOString(), by: 'ada@example.com', note: 'new shop' }
  await sql`update alert set accepted = ${JSON.stringify(accepted)}::jsonb where alert_id = ${alert?.alert_id}`.execute(
    t.db,
  )
  await copyHoursFolded(25)
  await evaluateAt(25)
  expect(await incidentAlerts()).toMatchObject([{ state: 'resolved' }])
  await copyHoursFolded(26)
  await evaluateAt(26)
  expect(await incidentAlerts()).toHaveLength(1)
})

/** Finalises the hours up to this one. */
async function copyHoursFolded(hour: number): Promise<void> {
  await sql`
    insert into folded_hour
    select (jsonb_populate_record(null::folded_hour,
      to_jsonb(h) || jsonb_build_object('hour', h.hour + make_interval(hours => n)))).*
    from folded_hour h, generate_series(1, ${hour}::integer) n
    where h.cluster_id = ${clusterId} and h.hour = ${newest} on conflict do nothing`.execute(t.db)
}
