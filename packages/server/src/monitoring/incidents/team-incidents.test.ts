import { partTree } from '@plimsoll/engine/incidents'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { anIncident } from '../../../test/an-incident.ts'
import { aFoldedCluster } from '../../../test/folded-cluster.ts'
import { oneNode } from '../../../test/stored-hours.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { readAtOnce } from '../../ingest/index.ts'
import { findIncidentState, listNewestHours, writeIncidents } from '../queries/incidents.ts'
import { evaluateIncidents } from './evaluate-incidents.ts'
import { findIncidents } from './find-incidents.ts'
import { findIncompleteParts } from './incomplete-parts.ts'
import { loadClusterSplits } from './load-cluster-splits.ts'
import { loadCosts, type CostQuestion } from './load-costs.ts'
import { storeIncidents } from './store-incidents.ts'
import { readIncident, storeIncident } from './stored-incident.ts'

const t = useTestApp()
const hourMs = 3_600_000
const tables = ['folded_hour', 'workload_hour', 'namespace_hour', 'cluster_hour', 'node_hour'] as const

let clusters: { clusterId: string; name: string }[]
let newest: Date

/** A copy of the newest hour of a cluster in each of this many hours before it. */
async function copyHours(clusterId: string, hours: number): Promise<void> {
  for (const table of tables)
    await sql`
      insert into ${sql.table(table)}
      select r.* from ${sql.table(table)} h, generate_series(1, ${hours}::integer) n, jsonb_populate_record(
        null::${sql.table(table)}, to_jsonb(h) || jsonb_build_object('hour', h.hour - make_interval(hours => n))) r
      where h.cluster_id = ${clusterId} and h.hour = ${newest} on conflict do nothing`.execute(t.db)
}

const map = async (rules: unknown[]) => {
  await sql`delete from team_mapping`.execute(t.db)
  await sql`insert into team_mapping (mapping_id, rules, revision, updated_at)
    values ('teams', ${JSON.stringify(rules)}::jsonb, 1, now())`.execute(t.db)
}

beforeAll(async () => {
  clusters = []
  for (const name of ['old', 'other', 'young']) {
    const { clusterId } = await aFoldedCluster(t, oneNode)
    clusters.push({ clusterId, name })
  }
  const hour = await sql<{ hour: Date }>`select max(hour) as hour from folded_hour`.execute(t.db)
  newest = hour.rows[0]?.hour ?? new Date(0)
  for (const table of ['workload_hour', 'node_hour'])
    await sql`create table ${sql.table(`${table}_rest`)} partition of ${sql.table(table)} default`.execute(t.db)
  const [old, other, young] = ids()
  await copyHours(old, 32 * 24)
  await copyHours(other, 32 * 24)
  await copyHours(young, 3)
})

const ids = () => clusters.map(({ clusterId }) => clusterId) as [string, string, string]
const load = (question: Partial<CostQuestion> = {}) =>
  readAtOnce(t.db, (tx) => loadCosts(tx, { clusters, end: new Date(newest.getTime() + hourMs), kept: [], ...question }))

test('a namespace of one team lies in the team', async () => {
  await map([{ team: 'red', namespace: 'shop' }])
  const [old, other] = ids()
  const { tree } = await load()
  for (const clusterId of [old, other])
    expect(tree.parts.get(`${clusterId}/shop`)?.parents).toEqual([clusterId, 'team:red'])
})

test('a team has its own part in a namespace of several owners, and the split of its cause', async () => {
  const [old] = ids()
  const { rows } = await sql<{ name: string }>`select distinct workload_name as name from workload_hour
    where cluster_id = ${old} and namespace = 'shop'`.execute(t.db)
  const copied = `copy-of-${rows[0]?.name ?? ''}`
  await sql`
    insert into workload_hour
    select r.* from workload_hour h, jsonb_populate_record(null::workload_hour, to_jsonb(h) || jsonb_build_object(
      'workload_name', ${copied}::text, 'labels', jsonb_build_object('plimsoll.dev/team', 'a/b'), 'labels_hash', md5('a/b'))) r
    where h.cluster_id = ${old} and h.namespace = 'shop' on conflict do nothing`.execute(t.db)
  await map([{ team: 'red', namespace: 'shop' }])
  const { tree, recent } = await load()
  const pair = `${old}/shop//a/b`
  expect(tree.parts.get(`${old}/shop`)?.parents).toEqual([old])
  expect(tree.parts.get(pair)).toMatchObject({ level: 'team_namespace', parents: [`${old}/shop`, 'team:a/b'] })
  expect(recent.get(pair)?.trailing.usd).toBe(recent.get('team:a/b')?.trailing.usd)
  const end = new Date(newest.getTime() + hourMs)
  const { splits } = await readAtOnce(t.db, (tx) => loadClusterSplits(tx, clusters, end, tree))
  expect([splits.has(pair), splits.has('team:a/b'), splits.has('team:red'), splits.has('installation')]).toEqual([
    ...[true, true, true, true],
  ])
  const without = await readAtOnce(t.db, (tx) => loadClusterSplits(tx, clusters, end, partTree([])))
  expect(without.splits.has('team:a/b')).toBe(false)
  await sql`delete from workload_hour where workload_name = ${copied}`.execute(t.db)
})

test('a cluster that was connected hours ago does not limit the known hours of teams and of the installation', async () => {
  await map([{ team: 'red', namespace: 'shop' }])
  const { recent, days } = await load()
  for (const part of ['team:red', 'installation']) {
    expect(recent.get(part)?.trailing.knownHours).toBe(24)
    expect(days.get(part)?.at(-2)?.knownHours).toBe(24)
  }
})

test('many label values of a cluster leave the teams of that cluster out, and all other parts in', async () => {
  const [old, other] = ids()
  await sql`
    insert into workload_hour
    select r.* from (
      select * from workload_hour where cluster_id = ${other} and hour = ${newest} and namespace = 'shop' limit 1
    ) h, generate_series(1, 300) n, jsonb_populate_record(null::workload_hour, to_jsonb(h) || jsonb_build_object(
      'workload_name', 'many', 'labels', jsonb_build_object('owner', n::text), 'labels_hash', md5(n::text))) r`.execute(
    t.db,
  )
  await map([{ team_from_label: 'owner' }, { team: 'red', namespace: 'shop' }])
  const costs = await load({ limit: { rowsReadMax: 200 } })
  expect([...costs.unreadTeams]).toEqual([other])
  expect(costs.tree.parts.get(`${old}/shop`)?.parents).toEqual([old, 'team:red'])
  expect(costs.tree.parts.has(`${other}/shop`)).toBe(true)

  const tight = await load({ limit: { rowsReadMax: 1 } })
  expect([...tight.unread].sort()).toEqual([...ids()].sort())
  await sql`delete from workload_hour where workload_name = 'many'`.execute(t.db)
})

test('an open incident of a team neither ends nor starts again while a cluster of the team is repriced', async () => {
  await map([{ team: 'red', namespace: 'shop' }])
  const [, other] = ids()
  const hour = newest.getTime() / hourMs
  const openedAt = hour - 100
  const times = { openedAt, causedAt: openedAt, announcedAt: openedAt, lastAboveAt: hour - 1 }
  const incidents = ['team:red', 'team:gone'].map((part) => anIncident({ id: part, part, ...times }))
  await writeIncidents(
    t.db,
    incidents.map((each) => ({ id: each.id, endedAt: null, data: storeIncident(each) })),
  )
  const ended = async () => {
    const { rows } = await sql<{ data: unknown }>`select data from incident order by incident_id`.execute(t.db)
    return rows.map(({ data }) => readIncident(data)).map(({ id, endedAt }) => [id, endedAt !== null])
  }
  t.clock.now = new Date(newest.getTime() + hourMs + 60_000)
  const evaluate = async () => {
    await sql`update incident_state set evaluated_to = null`.execute(t.db)
    await evaluateIncidents(t.db, t.clock.now, { again: false })
  }
  await sql`insert into repricing (cluster_id, from_hour) values (${other}, ${newest})`.execute(t.db)
  await evaluate()
  expect(await ended()).toEqual([
    ['team:gone', true],
    ['team:red', false],
  ])
  await sql`delete from repricing`.execute(t.db)
  await evaluate()
  expect(await ended()).toEqual([
    ['team:gone', true],
    ['team:red', true],
  ])
})

const openIn = (...parts: string[]) => {
  const openedAt = newest.getTime() / hourMs - 300
  return parts.map((part) => anIncident({ id: part, part, openedAt, causedAt: openedAt, announcedAt: openedAt }))
}

test('a retired cluster keeps incidents of teams and of the installation open for a week', async () => {
  await map([{ team: 'red', namespace: 'shop' }])
  const missing = (await listNewestHours(t.db)).slice(0, 1)
  const incomplete = async (days: number) => {
    const hour = newest.getTime() / hourMs + days * 24
    const found = await findIncompleteParts(t.db, openIn('team:red', 'installation'), {
      hour,
      missing,
      missingTeams: [],
    })
    return [...found].sort()
  }
  expect(await incomplete(7)).toEqual(['installation', 'team:red'])
  expect(await incomplete(8)).toEqual([])
})

test('missing costs of teams leave incidents of teams open, also in single namespaces, and no other incidents', async () => {
  await map([{ team: 'red', namespace: 'shop' }])
  const [old, other] = ids()
  const all = await listNewestHours(t.db)
  const pairs = [old, other].map((clusterId) => `${clusterId}/shop//red`)
  const found = await findIncompleteParts(t.db, openIn('team:red', 'installation', `${old}/shop`, ...pairs), {
    hour: newest.getTime() / hourMs,
    missing: [],
    missingTeams: all.filter(({ clusterId }) => clusterId === old),
  })
  expect([...found].sort()).toEqual([`${old}/shop//red`, 'team:red'].sort())
})

test('an hour that is evaluated again counts, whatever other servers evaluate at the same time', async () => {
  await sql`update incident_state set evaluated_to = null`.execute(t.db)
  t.clock.now = new Date(newest.getTime() + hourMs + 60_000)
  const late = await findIncidents(t.db, { clusters: await listNewestHours(t.db), now: t.clock.now, again: false })
  if (!late) throw new Error('no new hour')
  await evaluateIncidents(t.db, t.clock.now, { again: false })
  const { revision, evaluatedTo } = await findIncidentState(t.db)
  const again = () => evaluateIncidents(t.db, t.clock.now, { again: true })
  await Promise.all([again(), again(), again(), evaluateIncidents(t.db, t.clock.now, { again: false })])
  expect(await findIncidentState(t.db)).toMatchObject({ revision: String(BigInt(revision) + 3n), evaluatedTo })
  // As it was when the late server began.
  await sql`update incident_state set evaluated_to = null`.execute(t.db)
  expect(await storeIncidents(t.db, late, t.clock.now)).toBe(false)
})
