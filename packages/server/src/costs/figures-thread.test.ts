import { startSecond, twoNodesWithAssets } from '@plimsoll/pipeline/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFoldedCluster } from '../../test/folded-cluster.ts'
import { useTestApp } from '../../test/test-app.ts'
import { silent } from '../../test/test-database.ts'
import { loadAllocation, TooManyRows } from './allocation.ts'
import type { AllocationRequest } from './answer-allocation.ts'
import { FiguresThread } from './figures-thread.ts'
import { allocationJson } from './figuring.ts'
import { parseGrouping } from './parse-grouping.ts'

const t = useTestApp()
let thread: FiguresThread
let clusterId: string

beforeAll(async () => {
  thread = new FiguresThread({ databaseUrl: t.url, log: silent })
  clusterId = (await aFoldedCluster(t, twoNodesWithAssets)).clusterId
})
afterAll(() => thread.close())

function byWorkload(change: Partial<AllocationRequest['options']> = {}): AllocationRequest {
  const options: AllocationRequest['options'] = {
    window: { name: 'custom', from: new Date(startSecond * 1000), to: new Date((startSecond + 7200) * 1000) },
    grouping: parseGrouping('workload'),
    step: 'none',
    shareIdle: 'weighted',
    shareOverhead: 'none',
    shareNamespaces: { names: new Set(), by: 'proportional' },
    weights: new Map([['shop/Pod/web', 1n]]),
    namespaces: null,
    workloads: null,
    unowned: new Set(['idle', 'unmounted', 'unattached', 'overhead']),
    rowsMax: 10,
    ...change,
  }
  return { clusterId, callerClusters: null, options, trend: { ...options, step: 'hour' } }
}

const textOf = (json: Uint8Array) => Buffer.from(json).toString('utf8')

test('the thread gives the same bytes as the computation in this thread', async () => {
  const request = byWorkload()
  const here = textOf(await allocationJson(t.db, request))
  expect(JSON.parse(here)).toMatchObject({ total: expect.any(Number) as number, trend: { step: 'hour' } })
  expect(textOf(await thread.allocation(request))).toBe(here)
})

test('a failure in the thread reaches the caller with its code, and the next request is answered', async () => {
  const broken = byWorkload({ window: { name: 'custom', from: new Date(Number.NaN), to: new Date(Number.NaN) } })
  await expect(thread.allocation(broken)).rejects.toThrow(Error)
  expect(textOf(await thread.allocation(byWorkload()))).toContain('"total"')
})

test('an answer of too many rows is refused', async () => {
  const { options } = byWorkload()
  const loading = loadAllocation(t.db, clusterId, { ...options, teams: [] }, 1)
  await expect(loading).rejects.toThrow(TooManyRows)
  await expect(loading).rejects.toMatchObject({
    code: 'invalid_parameter',
    extras: { errors: [{ parameter: 'by', code: 'too_many_rows' }] },
  })
})
