import type { Allocation } from '@plimsoll/contract'
import {
  endSecond,
  startSecond,
  twoNodes,
  twoNodesWithCloudResources,
  type SmallWorld,
} from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aFoldedCluster, get, isoHour, wholeWorld, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sumUpDays } from '../../ingest/jobs/sum-up-days.ts'
import { retention } from '../../maintenance/retention.ts'

const t = useTestApp()

beforeEach(() => {
  t.clock.now = new Date(endSecond * 1000)
})

type Row = Record<string, number> & { name: string; properties: Record<string, string> }
type Answer = { data: Record<string, Row>[]; warning?: string }

const window = `window=${isoHour(0)},${isoHour(2)}`.replaceAll('.000Z', 'Z')

/** Pods of one workload on nodes of different prices, with several containers. */
const replicas: SmallWorld = {
  nodes: [
    { uid: 'node-0', bornAt: startSecond - 3600, endedAt: Number.POSITIVE_INFINITY },
    { uid: 'node-1', bornAt: startSecond - 3600, endedAt: Number.POSITIVE_INFINITY, instanceType: 'c5.xlarge' },
  ],
  pods: [0, 1, 2].map((index) => ({
    ...{ uid: `web-${index}`, podUid: `web-${index}`, workload: 'web', namespace: 'shop', useSeed: index },
    ...{ node: index % 2, boundAt: startSecond + index * 1000, endedAt: Number.POSITIVE_INFINITY, resize: undefined },
    containers: [
      { name: 'app', millicores: 300 * (index + 1), kib: 500_000 },
      { name: 'proxy', millicores: 50, kib: 100_000 },
    ],
  })),
}

const reader = async (...clusters: FoldedCluster[]): Promise<Person> =>
  aPerson(
    t,
    await aRole(t, ['reports:read', 'clusters:read'], { clusters: clusters.map(({ clusterId }) => clusterId) }),
  )

const allocations = (person: Person, query: string) => get<Answer>(t, person, `/model/allocation?${window}&${query}`)

const rowsOf = ({ data }: Answer) => data.flatMap((set) => Object.values(set))
const sumOf = (answer: Answer) => rowsOf(answer).reduce((sum, { totalCost = 0 }) => sum + totalCost, 0)

const aggregates = ['node', 'pod,container', 'team,node', 'cluster,node,namespace,pod,container']

test('rows by node, pod and container add up to the allocation, with one field for each aggregate', async () => {
  const person = await reader(await aFoldedCluster(t, replicas), await aFoldedCluster(t, twoNodesWithCloudResources))
  const { total } = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}`)
  for (const aggregate of aggregates)
    for (const more of [
      'includeIdle=true',
      'shareIdle=weighted',
      'includeIdle=true&step=1h',
      'idle=true&accumulate=day',
    ]) {
      const answer = await allocations(person, `aggregate=${aggregate}&${more}`)
      const tolerance = (rowsOf(answer).length + 1) * 0.000005
      expect([aggregate, more, Math.abs(sumOf(answer) - total) <= tolerance]).toEqual([aggregate, more, true])
      for (const { name } of rowsOf(answer).filter((row) => row.name !== '__idle__'))
        expect([name, name.split('/').length]).toEqual([name, aggregate.split(',').length])
    }
})

test('the figures of a pod are its own: its hours, and the price of its node', async () => {
  const cluster = await aFoldedCluster(t, replicas)
  const answer = await allocations(await reader(cluster), 'aggregate=node,pod')
  const stored = await sql<{ pod: string; node: string; hours: number; usd: number }>`
    select p.pod_name as pod, n.name as node, sum(p.cpu_alloc)::float8 / 3600e6 as hours,
      sum(p.cpu_alloc * r.cpu_usd_per_microcore_second)::float8 as usd
    from pod_hour p join node n using (cluster_id, node_uid)
    join (select distinct cluster_id, node_uid, hour, rate_id from node_hour) h using (cluster_id, node_uid, hour)
    join rate r using (rate_id)
    where cluster_id = ${cluster.clusterId} and hour < ${isoHour(2)}::timestamptz group by 1, 2`.execute(t.db)
  expect(stored.rows.length).toBeGreaterThan(1)
  for (const { pod, node, hours, usd } of stored.rows) {
    const row = answer.data[0]?.[`${node}/${pod}`]
    expect([pod, row?.cpuCoreHours, row?.cpuCost]).toEqual([pod, expect.closeTo(hours, 4), expect.closeTo(usd, 4)])
    expect(row?.properties).toMatchObject({ node, pod })
  }
})

test('without an aggregate the rows are containers; filters select nodes, pods and containers', async () => {
  const person = await reader(await aFoldedCluster(t, twoNodes))
  const { data } = await allocations(person, '')
  const keys = Object.keys(data[0] ?? {})
  expect(new Set(keys.map((key) => key.split('/').length))).toEqual(new Set([5]))
  const all = sumOf(await allocations(person, 'aggregate=cluster'))
  for (const field of ['node', 'pod', 'container']) {
    const names = await get<{ data: { data: string[] } }>(
      ...[t, person, `/model/allocation/autocomplete?${window}&field=${field}`],
    )
    const [name = ''] = names.data.data
    const of = async (operator: string) =>
      sumOf(await allocations(person, `aggregate=cluster&filter=${encodeURIComponent(`${field}${operator}"${name}"`)}`))
    expect([field, await of(':')]).toEqual([field, expect.not.closeTo(0, 4)])
    expect((await of(':')) + (await of('!:'))).toBeCloseTo(all, 4)
  }
})

test('days have the pods of their hours, also when the hours are no longer stored', async () => {
  const cluster = await aFoldedCluster(t, replicas)
  const person = await reader(cluster)
  const before = await allocations(person, 'aggregate=node,pod,container')
  const day = 86_400
  t.clock.now = new Date((Math.ceil(endSecond / day) * day + 7200) * 1000)
  await sumUpDays(t.deps, cluster)
  await expectContainersToAddUp(cluster)
  const whole = `window=${new Date(Math.floor(startSecond / day) * day * 1000).toISOString().slice(0, 19)}Z,${new Date(Math.ceil(endSecond / day) * day * 1000).toISOString().slice(0, 19)}Z`
  const ofDay = async () =>
    get<Answer>(t, await reader(cluster), `/model/allocation?${whole}&aggregate=node,pod,container`)
  const costs = (answer: Answer) => rowsOf(answer).map(({ name, totalCost }) => [name, totalCost])
  const summed = await ofDay()
  expect(summed.data[0]).not.toEqual({})
  expect(rowsOf(summed).map(({ name }) => name)).toEqual(rowsOf(before).map(({ name }) => name))
  t.clock.now = new Date(t.clock.now.getTime() + 5 * day * 1000)
  await retention(t.deps)
  await sumUpDays(t.deps, cluster)
  expect(costs(await ofDay())).toEqual(costs(summed))
  const part = await allocations(await reader(cluster), 'aggregate=node,pod,container')
  expect(sumOf(part)).toBeCloseTo(sumOf(before), 4)
})

test('before the first stored pod the answer names it', async () => {
  const cluster = await aFoldedCluster(t, twoNodes)
  const person = await reader(cluster)
  await sql`delete from pod_hour where cluster_id = ${cluster.clusterId} and hour < ${isoHour(1)}::timestamptz`.execute(
    t.db,
  )
  const answer = await send(t, { url: `/model/allocation?${window}&aggregate=pod`, headers: person.bearer })
  expectProblem(answer, 'pods_not_stored')
  expect(answer.json<{ detail: string }>().detail).toContain(isoHour(1).replace('.000', ''))
  await sql`delete from pod_hour where cluster_id = ${cluster.clusterId}`.execute(t.db)
  const none = await send(t, {
    url: `/model/allocation?${window}&filter=node:"a"&aggregate=all`,
    headers: person.bearer,
  })
  expect(none.json<{ detail: string }>().detail).toContain('no hour yet')
})

async function expectContainersToAddUp({ clusterId }: FoldedCluster): Promise<void> {
  const { rows } = await sql<{ day: string; hours: string }>`
    select (select jsonb_agg(distinct jsonb_build_array(pod_uid, cpu_request, memory_alloc, (
        select sum(coalesce((value ->> 0)::bigint, cpu_request)) from jsonb_each(containers)), (
        select sum(coalesce((value ->> 7)::bigint, memory_alloc)) from jsonb_each(containers))))
      from pod_day where cluster_id = ${clusterId}) as day,
    (select jsonb_agg(distinct row) from (
      select jsonb_build_array(pod_uid, sum(cpu_request), sum(memory_alloc), sum(cpu_request), sum(memory_alloc)) as row
      from pod_hour where cluster_id = ${clusterId} group by pod_uid) summed) as hours`.execute(t.db)
  expect(rows[0]?.day).not.toBeNull()
  expect(rows[0]?.day).toEqual(rows[0]?.hours)
}
