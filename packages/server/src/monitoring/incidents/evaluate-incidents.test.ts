import { sql } from 'kysely'
import { dayMs } from '@plimsoll/engine'
import { partTree } from '@plimsoll/engine/incidents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anIncident } from '../../../test/an-incident.ts'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { oneNode } from '../../../test/stored-hours.ts'
import { aCluster } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { silent } from '../../../test/test-database.ts'
import { loadPartCosts, loadWorkloadCosts, TooManyRows } from '../../costs/index.ts'
import { loadCover, readAtOnce } from '../../ingest/index.ts'
import { evaluateAlerts } from '../jobs/evaluate-alerts.ts'
import { writeIncidents } from '../queries/incidents.ts'
import { EvaluationTooLong } from './evaluation-too-long.ts'
import { IncidentsThread } from './incidents-thread.ts'
import { loadCosts, type CostsOfParts } from './load-costs.ts'
import { loadClusterSplits } from './load-cluster-splits.ts'
import { readIncident, storeIncident } from './stored-incident.ts'

const t = useTestApp()
const hourMs = 3_600_000
const tables = ['folded_hour', 'workload_hour', 'namespace_hour', 'cluster_hour', 'node_hour'] as const

let clusterId: string
let newest: Date
let thread: IncidentsThread

/** A copy of the newest hour, this many hours earlier or later. */
const copyHours = async (from: number, to: number) => {
  for (const table of tables)
    await sql`
      insert into ${sql.table(table)}
      select (jsonb_populate_record(null::${sql.table(table)},
        to_jsonb(h) || jsonb_build_object('hour', h.hour + make_interval(hours => n)))).*
      from ${sql.table(table)} h, generate_series(${from}::integer, ${to}::integer) n
      where h.cluster_id = ${clusterId} and h.hour = ${newest} on conflict do nothing`.execute(t.db)
}

afterAll(() => thread.close())
beforeAll(async () => {
  thread = new IncidentsThread({ databaseUrl: t.url, log: silent })
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
  await evaluateAlerts({ ...t.deps, monitoring: thread })
}

const incidentAlerts = () =>
  t.db
    .selectFrom('alert')
    .select(['state', 'content', 'namespace', 'team', 'alert_id'])
    .where('rule', '=', 'cost_above_expected')
    .orderBy('alert_id')
    .execute()

test('a rise opens one incident, also in a repeated hour, and accepting makes the cost normal', async () => {
  const rules = [{ team: 'shop', namespace: 'shop' }]
  await sql`insert into team_mapping (mapping_id, rules, revision, updated_at)
    values ('teams', ${JSON.stringify(rules)}::jsonb, 1, now())`.execute(t.db)
  await raiseCost(0, 40)
  await evaluateAt(0)
  expect(await incidentAlerts()).toEqual([])
  await copyHoursFolded(24)
  await evaluateAt(24)
  await evaluatedWithLessData()
  const [alert, ...others] = await incidentAlerts()
  expect(others).toEqual([])
  expect(alert).toMatchObject({ state: 'firing', namespace: 'shop', team: 'shop' })
  expect(alert?.content.money?.amount).toBeGreaterThan(1)
  expect(alert?.content.facts.map(({ label }) => label)).toContain('Cause')
  await evaluateAlerts(t.deps)
  await evaluateAlerts(t.deps, { again: true })
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
  await sql`delete from team_mapping`.execute(t.db)
})

/** As if the data of the hour arrived after its evaluation: it counts only when the hour is evaluated again. */
async function evaluatedWithLessData(): Promise<void> {
  for (const table of ['alert', 'incident']) await sql`delete from ${sql.table(table)}`.execute(t.db)
  await evaluateAlerts({ ...t.deps, monitoring: thread })
  expect(await incidentAlerts()).toEqual([])
  await evaluateAlerts({ ...t.deps, monitoring: thread }, { again: true })
}

/** Finalises the hours up to this one. */
async function copyHoursFolded(hour: number): Promise<void> {
  await sql`
    insert into folded_hour
    select (jsonb_populate_record(null::folded_hour,
      to_jsonb(h) || jsonb_build_object('hour', h.hour + make_interval(hours => n)))).*
    from folded_hour h, generate_series(1, ${hour}::integer) n
    where h.cluster_id = ${clusterId} and h.hour = ${newest} on conflict do nothing`.execute(t.db)
}

const shownIncident = async (id: string) => {
  const { rows } = await sql<{ data: unknown }>`select data from incident where incident_id = ${id}`.execute(t.db)
  return readIncident(rows[0]?.data)
}

test('an incident ends if its workload is deleted, and stays open if its cluster is silent', async () => {
  const { rows } = await sql<{ part: string; namespace: string; name: string }>`
    select concat_ws('/', cluster_id, namespace, workload_kind, workload_name) as part, namespace, workload_name as name
    from workload_hour where cluster_id = ${clusterId} and hour = ${newest} order by workload_name desc limit 1`.execute(
    t.db,
  )
  const workload = rows[0] ?? { part: '', namespace: '', name: '' }
  await sql`delete from workload_hour where cluster_id = ${clusterId} and hour > ${newest}
    and namespace = ${workload.namespace} and workload_name = ${workload.name}`.execute(t.db)
  const { clusterId: silentId } = await aCluster(t)
  const openedAt = newest.getTime() / hourMs - 200
  const times = { openedAt, causedAt: openedAt, announcedAt: openedAt, lastAboveAt: newest.getTime() / hourMs }
  const deleted = anIncident({ id: 'deleted', part: workload.part, ...times })
  const ofSilent = anIncident({ id: 'silent', part: silentId, ...times, lastAboveAt: openedAt })
  const stored = [deleted, ofSilent].map((each) => ({ id: each.id, endedAt: null, data: storeIncident(each) }))
  await writeIncidents(t.db, stored)
  await copyHoursFolded(27)
  await evaluateAt(27)
  expect((await shownIncident('deleted')).endedAt).not.toBeNull()
  expect((await shownIncident('silent')).endedAt).toBeNull()
})

test('a team is a part beside namespaces, and contains its workloads', async () => {
  const rules = [{ team: 'red', namespace: 'shop' }]
  await sql`insert into team_mapping (mapping_id, rules, revision, updated_at)
    values ('teams', ${JSON.stringify(rules)}::jsonb, 1, now())`.execute(t.db)
  const end = new Date(newest.getTime() + hourMs)
  const { rows } = await sql<{ part: string }>`
    select concat_ws('/', cluster_id, namespace, workload_kind, workload_name) as part from workload_hour
    where cluster_id = ${clusterId} and hour = ${newest} and namespace = 'shop' limit 1`.execute(t.db)
  const workload = rows[0]?.part ?? ''
  const clusters = [{ clusterId, name: 'prod' }]
  const costs = await readAtOnce(t.db, (tx) => loadCosts(tx, { clusters, end, kept: [workload] }))
  expect(costs.tree.parts.get('team:red')).toMatchObject({ level: 'team', parents: ['installation'] })
  expect(costs.tree.parts.get(workload)?.parents).toEqual([`${clusterId}/shop`, 'team:red'])
  expect(costs.days.get('team:red')).toEqual(costs.days.get(`${clusterId}/shop`))
  expect(costs.recent.get('team:red')?.trailing.usd).toBe(costs.recent.get(`${clusterId}/shop`)?.trailing.usd)
  expect(costs.recent.get('team:red')?.trailing.usd).toBeGreaterThan(0n)
  await sql`delete from team_mapping`.execute(t.db)
})

test('a cluster with fewer than 28 days does not raise the cost of the installation', async () => {
  const clusters = [{ clusterId, name: 'prod' }]
  const at = (daysAgo: number) => {
    const end = new Date(newest.getTime() - daysAgo * dayMs)
    return readAtOnce(t.db, (tx) => loadCosts(tx, { clusters, end, kept: [] }))
  }
  const installationOf = ({ recent }: CostsOfParts) => recent.get('installation')?.trailing.usd
  const [young, old] = [await at(20), await at(2)]
  expect(young.usdPerDay).toBeGreaterThan(0n)
  expect([installationOf(young), young.tree.parts.get(clusterId)?.parents]).toEqual([0n, []])
  expect([installationOf(old), old.tree.parts.get(clusterId)?.parents]).toEqual([old.usdPerDay, ['installation']])
})

test('a cluster that was connected a day ago has no facts', async () => {
  const start = newest.getTime() - 40 * dayMs
  const at = (hours: number) =>
    readAtOnce(t.db, (tx) =>
      loadClusterSplits(tx, [{ clusterId, name: 'prod' }], new Date(start + hours * hourMs), partTree([])),
    )
  const first = await at(20)
  expect(first.splits.size).toBeGreaterThan(0)
  expect(first.lines).toEqual([])
  expect((await at(48)).lines.map(({ level }) => level)).toEqual(expect.arrayContaining(['cluster', 'workload']))
})

test('costs of 40 days are read whole or not at all', async () => {
  const cover = await loadCover(t.db, clusterId, { from: new Date(newest.getTime() - 40 * dayMs), to: newest })
  const all = await loadWorkloadCosts(t.db, cover, { step: 'day', workloads: null })
  const [first] = all
  if (!first) throw new Error('no workloads')
  const one = await loadWorkloadCosts(t.db, cover, { step: 'day', workloads: [first.part] })
  const inOrder = (costs: typeof all) => costs.map(({ at, usd }) => `${at} ${usd}`).sort()
  expect(inOrder(one)).toEqual(inOrder(all.filter(({ part }) => part.name === first.part.name)))
  expect(new Set(one.map(({ at }) => at)).size).toBe(41)
  await expect(loadPartCosts(t.db, cover, 'day', { rowsReadMax: 3 })).rejects.toThrow(TooManyRows)
})

test('the cost of an unowned namespace does not depend on the number of its prices', async () => {
  await sql`insert into alert_rule values ('namespace_unowned', true, '{"unowned_usd_per_month": 0}', 1, now())
    on conflict do nothing`.execute(t.db)
  const shown = async () => {
    const rows = await t.db
      .selectFrom('alert')
      .select(['entity', 'content'])
      .orderBy('entity')
      .where('rule', '=', 'namespace_unowned')
      .execute()
    return rows.map(({ entity, content }) => [entity, content.money?.amount.toFixed(6)])
  }
  await copyHoursFolded(28)
  await evaluateAt(28)
  const before = await shown()
  expect(before.length).toBeGreaterThan(0)
  await sql`
    insert into rate overriding system value
    select (jsonb_populate_record(null::rate, to_jsonb(r)
      || jsonb_build_object('rate_id', r.rate_id + 100000, 'price_key', 'copy ' || r.rate_id))).*
    from rate r`.execute(t.db)
  await sql`update workload_hour set rate_id = rate_id + 100000
    where cluster_id = ${clusterId} and hour > ${new Date(newest.getTime() + 16 * hourMs)}`.execute(t.db)
  await copyHoursFolded(29)
  await evaluateAt(29)
  expect(await shown()).toEqual(before)
})

test('an evaluation that takes too long is ended', async () => {
  const impatient = new IncidentsThread({ databaseUrl: t.url, log: silent, evaluationMsMax: 0 })
  await expect(impatient.evaluateIncidents(t.clock.now, { again: false })).rejects.toBeInstanceOf(EvaluationTooLong)
})

test('an evaluation that fails in the thread fails in the service', async () => {
  const broken = new IncidentsThread({ databaseUrl: 'postgres://plimsoll@127.0.0.1:1/none', log: silent })
  await expect(broken.evaluateIncidents(t.clock.now, { again: false })).rejects.toThrow()
})
