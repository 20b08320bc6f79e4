import type { Allocation, Changes, Explanation } from '@plimsoll/contract'
import { decimal } from '@plimsoll/engine'
import {
  batchesOf,
  endSecond,
  mixedWorld,
  type SmallWorld,
  startSecond,
  twoNodes,
  twoNodesWithCloudResources,
} from '@plimsoll/pipeline/testing'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import { aFoldedCluster, deliver, foldAt, get, isoHour, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { sumUpDays } from '../../ingest/jobs/sum-up-days.ts'

const t = useTestApp()
let viewer: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  viewer = await aPerson(t, 'viewer')
})

const firstHour = `from=${isoHour(0)}&to=${isoHour(1)}`
const secondHour = `from=${isoHour(1)}&to=${isoHour(2)}`

/** The second hour of the world compared with the first, which is the default. */
const changes = ({ clusterId }: FoldedCluster, query = '', person = viewer) =>
  get<Changes>(t, person, `/api/v1/changes?cluster_id=${clusterId}&${secondHour}&${query}`)

const allocation = ({ clusterId }: FoldedCluster, query: string) =>
  get<Allocation>(t, viewer, `/api/v1/allocation?cluster_id=${clusterId}&${query}`)

/** The receipt of the total cost, to the last stored digit. */
const exactTotal = async ({ clusterId }: FoldedCluster, window: string) =>
  decimal((await get<Explanation>(t, viewer, `/api/v1/clusters/${clusterId}/explain?${window}`)).exact_amount)

type Line = Changes['total']

const exactSum = (parts: readonly { exact_amount: string }[]) =>
  parts.reduce((sum, { exact_amount: amount }) => sum + decimal(amount), 0n)

const microSum = (parts: readonly { amount: number }[]) =>
  parts.reduce((sum, { amount }) => sum + Math.round(amount * 1e6), 0)

/** Both the exact and the rounded effects add up. */
function expectAdditive(line: Line): void {
  expect(exactSum(line.effects)).toBe(decimal(line.exact_difference))
  expect(microSum(line.effects)).toBe(Math.round(line.difference * 1e6))
  expect(Math.round(line.difference * 1e6)).toBe(Math.round(line.now * 1e6) - Math.round(line.before * 1e6))
}

/** The totals of allocation rows by their names, and of the lines without an owner. */
function totalsOf({ steps: [step], by }: Allocation): Map<string, number> {
  const unowned = (['idle', 'unmounted', 'unattached', 'overhead'] as const).flatMap((kind) => {
    const cost = step?.[kind]
    return cost ? [[by.map(() => `__${kind}__`).join(), cost.total] as const] : []
  })
  const rows = step?.rows.map(({ names, cost }) => [by.map((name) => names[name]).join(), cost.total] as const) ?? []
  return new Map([...rows, ...unowned])
}

const filters = ['', 'namespace=shop,__idle__', 'workload=shop/Deployment/pod-0']

test('each line equals the allocation of its window, and its effects add up exactly, for any grouping and filter', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, async (world) => {
      const cluster = await aFoldedCluster(t, world)
      for (const by of ['workload', 'namespace,label:team', 'none']) {
        for (const filter of filters) {
          const query = `by=${by}&limit=1000&${filter}`
          const answer = await changes(cluster, query)
          const [before, now] = [
            await allocation(cluster, `${query}&${firstHour}`),
            await allocation(cluster, `${query}&${secondHour}`),
          ]
          expect([answer.total.before, answer.total.now]).toEqual([before.total, now.total])
          for (const line of [answer.total, answer.rest, ...answer.rows]) expectAdditive(line)
          if (by === 'none') continue
          const [totalsBefore, totalsNow] = [totalsOf(before), totalsOf(now)]
          for (const row of answer.rows) {
            const names = answer.by.map((name) => row.names[name]).join()
            expect([row.before, row.now]).toEqual([totalsBefore.get(names) ?? 0, totalsNow.get(names) ?? 0])
          }
        }
      }
    }),
    { numRuns: 2 },
  )
})

test('groups add up to the whole, `moved` to 0, and swapped windows negate the difference', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, async (world) => {
      const cluster = await aFoldedCluster(t, world)
      const whole = await changes(cluster, 'by=none')
      const shown = (line: Line) => line.effects.map(({ amount: _, ...effect }) => effect)
      for (const by of ['workload', 'team', 'cluster', 'cluster,namespace']) {
        expect(shown((await changes(cluster, `by=${by}`)).total)).toEqual(shown(whole.total))
      }
      const url = `/api/v1/changes?cluster_id=${cluster.clusterId}&by=none&${firstHour}&compare_from=${isoHour(1)}&compare_to=${isoHour(2)}`
      const back = await get<Changes>(t, viewer, url)
      expect(decimal(back.total.exact_difference)).toBe(-decimal(whole.total.exact_difference))
    }),
    { numRuns: rounds({ short: 1, full: 3 }) },
  )
})

test('the waterfall of the bill adds up, and agrees with the effects of the lines', async () => {
  await fc.assert(
    fc.asyncProperty(mixedWorld, async (world) => {
      const folded = await aFoldedCluster(t, world)
      const { total, waterfall } = await changes(folded)
      if (!waterfall) throw new Error('the answer has no filter')
      expect(exactSum(waterfall.parts)).toBe(decimal(total.exact_difference))
      const [before, now] = [await exactTotal(folded, firstHour), await exactTotal(folded, secondHour)]
      expect(decimal(total.exact_difference)).toBe(now - before)
      expect(microSum(waterfall.parts)).toBe(Math.round(total.difference * 1e6))
      const [cluster] = waterfall.clusters
      expect(cluster).toMatchObject({ before: total.before, now: total.now, difference: total.difference })
      const nodes = waterfall.parts.filter(({ kind }) => kind.startsWith('nodes_'))
      expect(exactSum([...waterfall.nodes, waterfall.other_nodes])).toBe(exactSum(nodes))
      expect(exactSum(total.effects.filter(({ kind }) => kind === 'nodes'))).toBe(exactSum(nodes))
    }),
    { numRuns: rounds({ short: 1, full: 5 }) },
  )
})

/** In the second hour node-1 and its pod are gone, and `web` requests two cores instead of one. */
const smaller: SmallWorld = {
  nodes: twoNodes.nodes.map((node, at) => (at === 1 ? { ...node, endedAt: startSecond + 3600 } : node)),
  pods: twoNodes.pods.map((pod, at) =>
    at === 1
      ? { ...pod, endedAt: startSecond + 3600 }
      : { ...pod, resize: { at: startSecond + 3600, millicores: 2000 } },
  ),
}

test('a removed node: its name, its end and its price are in the waterfall', async () => {
  const { total, waterfall } = await changes(await aFoldedCluster(t, smaller))
  // m5.xlarge $0.23, c5.xlarge $0.194 and the control plane $0.10 an hour.
  expect(total).toMatchObject({ before: 0.524, now: 0.33, difference: -0.194 })
  const parts = Object.fromEntries(waterfall?.parts.map(({ kind, amount }) => [kind, amount]) ?? [])
  expect(parts).toEqual({
    nodes_removed: -0.194,
    nodes_added: 0,
    nodes_kept: 0,
    price: 0,
    storage: 0,
    load_balancers: 0,
    fees: 0,
    new_clusters: 0,
    gone_clusters: 0,
    hours: 0,
  })
  expect(waterfall?.nodes).toMatchObject([
    { name: 'node-1', pool: 'compute', movement: 'removed', usd_per_hour: 0.194, amount: -0.194, ended_at: isoHour(1) },
  ])
})

test('by workload: a larger request and a removed workload, with the requests before and now', async () => {
  const { rows } = await changes(await aFoldedCluster(t, smaller), 'by=workload')
  const of = (name: string) => rows.find(({ names }) => names.workload === name)
  const kinds = (name: string) => of(name)?.effects.map(({ part, kind, resource }) => [part, kind, resource])
  expect(kinds('data/Deployment/db')).toEqual([['compute', 'gone', undefined]])
  expect(kinds('shop/Deployment/web')?.slice(0, 1)).toEqual([['compute', 'request', 'cpu']])
  expect(of('shop/Deployment/web')?.workload).toMatchObject({
    pods: { before: 1, now: 1 },
    cpu_request_millicores: { before: 1000, now: 2000 },
  })
  expect(of('data/Deployment/db')?.workload?.cpu_request_millicores).toEqual({ before: 2000, now: null })
})

test('a price that changes between the windows is the only effect on nodes, by class', async () => {
  const admin = await aPerson(t, 'admin')
  const cluster = await aCluster(t)
  const discount = { kind: 'discount', cluster_id: cluster.clusterId, provider: 'aws', percent: 10 }
  const body = { ...discount, effective_from: isoHour(1) }
  const made = await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers: admin.bearer, body })
  expect(made.statusCode, made.body).toBe(201)
  await deliver(t, cluster, batchesOf({ ...twoNodes, pods: [] }, { minutesPerBatch: 10 }))
  await foldAt(t, cluster, endSecond)
  const { waterfall, total } = await changes(cluster)
  expect(waterfall?.prices.map(({ class: name, amount }) => [name.split(',')[0], amount])).toEqual([
    ['m5.xlarge', -0.023],
    ['c5.xlarge', -0.0194],
  ])
  const ofNodes = total.effects.filter(({ part }) => part === 'idle').map(({ kind }) => kind)
  expect(new Set(ofNodes)).toEqual(new Set(['price']))
})

test('volumes that pods mount in the second hour are new for them and gone from the unmounted ones', async () => {
  const { rows } = await changes(await aFoldedCluster(t, twoNodesWithCloudResources))
  const storage = (name: string) =>
    rows
      .find(({ names }) => names.namespace === name)
      ?.effects.filter(({ part }) => part === 'storage')
      .map(({ kind }) => kind)
  expect(storage('shop')).toEqual(['new'])
  expect(storage('__unmounted__')).toEqual(['size'])
})

test('a workload that changes its team moves from one team to the other, and has no other effect', async () => {
  const [web] = twoNodes.pods
  if (!web) throw new Error('the world has pods')
  const noon = startSecond + 3600
  const pods = [
    { ...web, workload: 'web', endedAt: noon, labels: { team: 'red' } },
    { ...web, workload: 'web', uid: 'web-2', boundAt: noon, labels: { team: 'blue' } },
  ]
  const { rows, total } = await changes(await aFoldedCluster(t, { ...twoNodes, pods }), 'by=label:team')
  const kindsOf = (team: string) =>
    rows.find(({ names }) => names['label:team'] === team)?.effects.map(({ kind, amount }) => [kind, Math.sign(amount)])
  expect(kindsOf('red')).toContainEqual(['moved', -1])
  expect(kindsOf('blue')).toContainEqual(['moved', 1])
  expect(total.effects.filter(({ kind }) => kind === 'moved' || kind === 'new' || kind === 'gone')).toEqual([])
})

test('day sums give the same answer as their hours', async () => {
  const cluster = await aFoldedCluster(t, twoNodesWithCloudResources)
  const url = `/api/v1/changes?cluster_id=${cluster.clusterId}&by=workload&from=2027-01-15T00:00:00Z&to=2027-01-16T00:00:00Z&compare_from=${isoHour(0)}&compare_to=${isoHour(1)}`
  const hourly = await get<Changes>(t, viewer, url)
  t.clock.now = new Date('2027-01-16T02:00:00Z')
  await sumUpDays(t.deps, cluster)
  expect(await get<Changes>(t, viewer, url)).toEqual(hourly)
})

test('a cluster without earlier data is new, with its whole cost', async () => {
  const cluster = await aFoldedCluster(t)
  const url = `/api/v1/changes?cluster_id=${cluster.clusterId}&from=${isoHour(0)}&to=${isoHour(2)}`
  const { total, waterfall, compare_data_status: status } = await get<Changes>(t, viewer, url)
  expect(status).toBe('no_data')
  expect(waterfall?.parts.find(({ kind }) => kind === 'new_clusters')?.amount).toBe(1.048)
  expect(new Set(total.effects.map(({ kind }) => kind))).toEqual(new Set(['new']))
})

test('windows with other known hours differ by hours', async () => {
  const { clusterId } = await aFoldedCluster(t, { ...twoNodes, pods: [] })
  const url = `/api/v1/changes?cluster_id=${clusterId}&from=${isoHour(0)}&to=${isoHour(2)}&compare_from=${isoHour(0)}&compare_to=${isoHour(1)}`
  const { total } = await get<Changes>(t, viewer, url)
  expect(total).toMatchObject({ before: 0.524, now: 1.048 })
  expect(new Set(total.effects.map(({ kind }) => kind))).toEqual(new Set(['hours']))
})

test('by default the last 7 days are compared with the 7 days before', async () => {
  const answer = await get<Changes>(t, viewer, '/api/v1/changes')
  const { window, compare_window: before } = answer
  expect([window.name, window.hours, before.hours]).toEqual(['7d', 168, 168])
  expect(before.to).toBe(window.from)
})

test('by cluster: a row is the whole cost of its cluster, and the rows add up to the total', async () => {
  const [one, other] = [await aFoldedCluster(t, smaller), await aFoldedCluster(t)]
  const person = await aPerson(t, await aRole(t, ['reports:read'], { clusters: [one.clusterId, other.clusterId] }))
  const { rows, total, clusters } = await get<Changes>(t, person, `/api/v1/changes?${secondHour}&by=cluster`)
  const nameOf = (id: string) => clusters.find((cluster) => cluster.id === id)?.name
  const costs = rows.map(({ names, before, now }) => [names.cluster, before, now])
  expect(costs).toEqual([
    [nameOf(one.clusterId), 0.524, 0.33],
    [nameOf(other.clusterId), 0.524, 0.524],
  ])
  expect(total).toMatchObject({ before: 1.048, now: 0.854, difference: -0.194 })
})

test('rows beyond the limit are summed up in the rest', async () => {
  const { rows, rest, total } = await changes(await aFoldedCluster(t, smaller), 'by=workload&limit=1')
  expect([rows.length, rest.rows]).toEqual([1, 3])
  expect(exactSum([...(rows[0]?.effects ?? []), ...rest.effects])).toBe(decimal(total.exact_difference))
})

test('a role restricted to namespaces sees their rows, and neither idle nor the bill', async () => {
  const cluster = await aFoldedCluster(t, smaller)
  const person = await aPerson(t, await aRole(t, ['reports:read'], { namespaces: ['shop'] }))
  const { rows, total, waterfall } = await changes(cluster, 'namespace=shop,data,__idle__', person)
  expect(rows.map(({ names }) => names.namespace)).toEqual(['shop'])
  expect(total.difference).toBe(rows[0]?.difference)
  expect(waterfall).toBeNull()
  expect((await changes(cluster, '', person)).waterfall).toBeNull()
})

test('a pending cluster has no rows', async () => {
  const { clusterId } = await aCluster(t)
  const answer = await get<Changes>(t, viewer, `/api/v1/changes?cluster_id=${clusterId}`)
  expect(answer).toMatchObject({ data_status: 'no_data', rows: [], total: { difference: 0, effects: [] } })
})

test.each([
  { query: 'by=node', parameter: 'by' },
  { query: 'by=cluster,cluster', parameter: 'by' },
  { query: 'by=none,cluster', parameter: 'by' },
  { query: 'compare=none', parameter: 'compare' },
  { query: `compare_to=${isoHour(0)}`, parameter: 'compare_from' },
  { query: `compare_from=${isoHour(1)}&compare_to=${isoHour(0)}`, parameter: 'compare_from' },
  { query: 'compare_from=2020-01-01T00:00:00Z&compare_to=2024-01-01T00:00:00Z', parameter: 'compare_from' },
  { query: 'workload=checkout', parameter: 'workload' },
  { query: 'limit=1001', parameter: 'limit' },
])('changes?$query is rejected', async ({ query, parameter }) => {
  const response = await send(t, { url: `/api/v1/changes?${query}`, headers: viewer.bearer })
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_parameter', errors: [{ parameter }] })
})
