import type { Estimate, WorkloadList } from '@plimsoll/contract'
import { startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { beforeAll, expect, test } from 'vitest'
import { aBridgedCluster, get, isoHour, type FoldedCluster } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let cluster: FoldedCluster
let reader: Person

beforeAll(async () => {
  cluster = await aBridgedCluster(t, 3, twoNodes)
  t.clock.now = new Date((startSecond + 3 * 3600) * 1000)
  reader = await aPerson(t, await aRole(t, ['clusters:read']))
})

const ask = (workloads: object[], person = reader, clusterId = cluster.clusterId) =>
  send(t, {
    method: 'POST',
    url: '/api/v1/estimates',
    headers: person.bearer,
    body: { cluster_id: clusterId, workloads },
  })

const web = { kind: 'Deployment', namespace: 'shop', name: 'web' }
const state = (cpu: string, memory: string, more: object = {}) => ({
  containers: [{ name: 'c0', requests: { cpu, memory } }],
  ...more,
})

test('an unchanged manifest has the current cost of the workload, within 1 %', async () => {
  const window = `from=${isoHour(0)}&to=${isoHour(3)}`
  const { workloads } = await get<WorkloadList>(t, reader, `/api/v1/clusters/${cluster.clusterId}/workloads?${window}`)
  expect(workloads.length).toBe(2)
  for (const { namespace, kind, name, cost } of workloads) {
    const after = name === 'web' ? state('1', '4Gi') : state('2', '6Gi')
    const response = await ask([{ namespace, kind, name, after }])
    const estimate = response.json<Estimate>()
    const current = (cost.total / 3) * 730
    expect(Math.abs((estimate.workloads[0]?.after?.monthly_cost ?? 0) / current - 1)).toBeLessThan(0.01)
    expect(estimate.workloads[0]).toMatchObject({ change: 'unchanged', monthly_change: 0, rates: 'own_nodes' })
    expect(estimate.workloads[0]?.usage).toMatchObject({ replicas: 1, hours: 3 })
  }
})

test('twice the requests cost twice as much', async () => {
  const estimate = (await ask([{ ...web, after: state('2', '8Gi') }])).json<Estimate>()
  const { before, after } = estimate.workloads[0] ?? {}
  expect(after?.monthly_cost).toBeCloseTo(2 * (before?.monthly_cost ?? NaN), 4)
  expect(estimate.requests.monthly_change).toBeCloseTo(before?.monthly_cost ?? NaN, 4)
})

test('a role limited to namespaces sees its workloads without the bill', async () => {
  const narrowed = await aPerson(t, await aRole(t, ['clusters:read'], { namespaces: ['shop'] }))
  const own = (await ask([{ ...web, after: state('2', '8Gi') }], narrowed)).json<Estimate>()
  expect(own.bill).toMatchObject({ monthly_change: null, nodes_added: [], notes: [{ code: 'role_narrowed' }] })
  expect(own.workloads[0]?.monthly_change).toBeGreaterThan(0)
  expectProblem(await ask([{ ...web, namespace: 'data', after: null }], narrowed), 'role_narrowed')
})

test('an unknown cluster, wrong quantities and too many workloads are refused', async () => {
  expectProblem(await ask([{ ...web, after: null }], reader, 'cls_none'), 'invalid_body')
  const negative = await ask([{ ...web, after: state('-1', '1Gi') }])
  expectProblem(negative, 'invalid_body')
  expect(negative.json()).toMatchObject({
    errors: [{ pointer: '/workloads/0/after/containers/0/cpu', code: 'negative' }],
  })
  for (const replicas of [-1, 1.5, 1_000_001]) {
    expectProblem(await ask([{ ...web, after: state('1', '1Gi', { replicas }) }]), 'invalid_body')
  }
  const many = Array.from({ length: 501 }, (_, index) => ({ ...web, name: `web-${index}`, after: null }))
  expectProblem(await ask(many), 'invalid_body')
})

test('a cluster that has not reported has no estimate', async () => {
  const { clusterId } = await aCluster(t)
  expectProblem(await ask([{ ...web, after: null }], reader, clusterId), 'cluster_not_reported')
})
