import { Worker } from 'node:worker_threads'
import { startSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { aFoldedCluster } from '../../test/folded-cluster.ts'
import { useTestApp } from '../../test/test-app.ts'
import { patience } from '../../test/patience.ts'
import { silent } from '../../test/test-database.ts'
import { isWaitingForLock } from '../../test/waiting-for-lock.ts'
import { RowBudget } from './allocation.ts'
import { TooManyRows } from './too-many-rows.ts'
import { answerAllocation, type AllocationRequest } from './answer-allocation.ts'
import { FiguresThread } from './figures-thread.ts'
import { allocationJson, changesJson } from './compute-in-thread.ts'
import { parseGrouping } from './parse-grouping.ts'

const t = useTestApp()
let thread: FiguresThread
let clusterId: string

beforeAll(async () => {
  thread = new FiguresThread({ databaseUrl: t.url, log: silent })
  clusterId = (await aFoldedCluster(t, twoNodesWithCloudResources)).clusterId
})
afterAll(() => thread.close())
afterEach(() => void vi.restoreAllMocks())

function byWorkload(change: Partial<AllocationRequest['options']> = {}): AllocationRequest {
  const options: AllocationRequest['options'] = {
    window: { name: 'custom', from: new Date(startSecond * 1000), to: new Date((startSecond + 7200) * 1000) },
    grouping: parseGrouping('workload'),
    isNested: false,
    step: 'none',
    shareIdle: 'weighted',
    shareOverhead: 'none',
    shareNamespaces: { names: new Set(), by: 'proportional' },
    weights: new Map([['shop/Pod/web', 1n]]),
    namespaces: null,
    workloads: null,
    visibleTeams: null,
    names: new Map(),
    unowned: new Set(['idle', 'unmounted', 'unattached', 'overhead']),
    rowsMax: 10,
    ...change,
  }
  return { clusterId, callerClusters: null, options, trend: { ...options, step: 'hour' } }
}

const textOf = (json: Uint8Array) => Buffer.from(json).toString('utf8')

const compute = (request: AllocationRequest, callerId = 'usr_1') =>
  thread.allocation(request, { callerId, signal: new AbortController().signal })

/** No computation gets beyond its first query while `work` runs. */
const whileHeld = <Result>(work: () => Promise<Result>) =>
  t.db.transaction().execute(async (tx) => {
    await sql`lock table team_mapping in access exclusive mode`.execute(tx)
    return work()
  })

test('the thread gives the same bytes as the computation in this thread', async () => {
  const request = byWorkload()
  const here = textOf(await allocationJson(t.db, request))
  expect(JSON.parse(here)).toMatchObject({ total: expect.any(Number) as number, trend: { step: 'hour' } })
  expect(textOf(await compute(request))).toBe(here)
})

test('the thread compares two windows, too', async () => {
  const { options } = byWorkload()
  const { window, grouping, namespaces, workloads, names, unowned } = options
  const windows = { before: { ...window, to: new Date(window.from.getTime() + 3_600_000) }, now: window }
  const filter = {
    namespaces,
    workloads,
    names,
    unowned,
    visibleTeams: null,
    hasWaterfall: true,
    canReadSteps: true,
    detailFrom: new Date(0),
    rowsMax: 10,
  }
  const request = { clusterId, callerClusters: null, options: { ...filter, windows, grouping } }
  const here = textOf(await changesJson(t.db, request))
  expect(JSON.parse(here)).toMatchObject({ total: { before: expect.any(Number) as number } })
  expect(textOf(await thread.changes(request, { callerId: 'usr_1', signal: new AbortController().signal }))).toBe(here)
})

test('a failure in the thread reaches the caller with its code, and the next request is answered', async () => {
  const invalidText = '22021'
  await expect(compute({ ...byWorkload(), clusterId: '\0' })).rejects.toMatchObject({ code: invalidText })
  expect(textOf(await compute(byWorkload()))).toContain('"total"')
})

test('two requests are computed at a time, and the others wait without a connection', async () => {
  const all = await whileHeld(async () => {
    const computed = [1, 2, 3, 4, 5, 6].map((index) => compute(byWorkload(), `usr_${index}`))
    await vi.waitUntil(() => isWaitingForLock(t.db, 2), patience)
    // Time for a third request to appear.
    for (let query = 0; query < 20; query += 1) expect(await isWaitingForLock(t.db, 3)).toBe(false)
    return computed
  })
  expect((await Promise.all(all)).map((json) => textOf(json).includes('"total"'))).toEqual(Array(6).fill(true))
})

test('a caller with many requests is rejected, and other callers are not', async () => {
  const { own, other, refused } = await whileHeld(async () => ({
    own: Array.from({ length: 8 }, () => compute(byWorkload())),
    refused: await compute(byWorkload()).catch((error: unknown) => error),
    other: compute(byWorkload(), 'usr_2'),
  }))
  expect(refused).toMatchObject({ code: 'service_unavailable' })
  await Promise.all([...own, other])
})

test('when the thread is killed, running requests fail and waiting requests get a new thread', async () => {
  const posted = vi.spyOn(Worker.prototype, 'postMessage')
  const { third: waiting } = await whileHeld(async () => {
    const running = [compute(byWorkload()), compute(byWorkload())]
    const failures = Promise.all(running.map((each) => each.catch((error: unknown) => error)))
    const third = compute(byWorkload())
    await vi.waitUntil(() => isWaitingForLock(t.db, 2), patience)
    await (posted.mock.contexts[0] as Worker).terminate()
    expect(await failures).toMatchObject([{ code: 'service_unavailable' }, { code: 'service_unavailable' }])
    return { third }
  })
  expect(textOf(await waiting)).toContain('"total"')
  expect(new Set(posted.mock.contexts).size).toBe(2)
})

test('a computation ends before its next cluster when its caller disconnects', async () => {
  const leaving = new AbortController()
  const { computed } = await whileHeld(async () => {
    const left = thread.allocation(byWorkload(), { callerId: 'usr_1', signal: leaving.signal })
    await vi.waitUntil(() => isWaitingForLock(t.db), patience)
    leaving.abort()
    return { computed: left.catch((error: unknown) => error) }
  })
  expect(await computed).toMatchObject({ code: 'malformed_request' })
})

/** A separate thread, with a computation that waits for a lock. */
async function aHeldThread(options: { computeMsMax?: number; closingMsMax?: number }) {
  const held = new FiguresThread({ databaseUrl: t.url, log: silent, ...options })
  onTestFinished(() => held.close())
  const requester = { callerId: 'usr_1', signal: new AbortController().signal }
  const computed = held.allocation(byWorkload(), requester).catch((error: unknown) => error)
  await vi.waitUntil(() => isWaitingForLock(t.db), patience)
  return { held, computed }
}

test('a computation ends at its deadline', async () => {
  const { computed } = await whileHeld(() => aHeldThread({ computeMsMax: 1 }))
  expect(await computed).toMatchObject({
    code: 'service_unavailable',
    message: expect.stringContaining('longer') as string,
  })
})

test('closing does not wait for a computation that only reads', async () => {
  const { computed } = await whileHeld(async () => {
    const each = await aHeldThread({ closingMsMax: 1 })
    await each.held.close()
    return each
  })
  expect(await computed).toMatchObject({ code: 'service_unavailable' })
})

test('all clusters and both tables of one request share one row budget', async () => {
  const answer = (request: AllocationRequest, rowsMax: number) =>
    answerAllocation(t.db, request, { budget: new RowBudget(rowsMax) })
  const rowsOf = async (request: AllocationRequest) => {
    const budget = new RowBudget(1000)
    await answerAllocation(t.db, request, { budget })
    return 1000 - budget.rowsReadMax
  }
  const { clusterId: second } = await aFoldedCluster(t, twoNodesWithCloudResources)
  const alone = { ...byWorkload(), trend: undefined }
  const rows = await rowsOf(alone)
  expect(await answer(alone, rows)).toMatchObject({ cluster_ids: [clusterId] })
  await expect(answer(alone, rows - 1)).rejects.toMatchObject({
    code: 'invalid_parameter',
    extras: { errors: [{ parameter: 'by', code: 'too_many_rows' }] },
  })
  const both = { ...alone, clusterId: undefined, callerClusters: [clusterId, second] }
  await expect(answer(both, 2 * rows - 1)).rejects.toThrow(TooManyRows)
  expect(await answer(both, 2 * rows)).toMatchObject({
    cluster_ids: expect.arrayContaining([clusterId, second]) as object,
  })

  const compared = { ...alone, compare: alone.options }
  expect(await answer(compared, 2 * rows)).toHaveProperty('compare')
  expect(await answer(compared, 2 * rows - 1)).not.toHaveProperty('compare')

  const charted = byWorkload()
  const inSteps = charted.trend ?? charted.options
  const rowsOfTrend = await rowsOf({ ...alone, options: inSteps })
  expect(rowsOfTrend).toBeGreaterThan(rows)
  expect(await answer(charted, rowsOfTrend)).toMatchObject({ trend: { step: 'hour' } })
  expect(await answer(charted, rowsOfTrend - 1)).not.toHaveProperty('trend')
  const without = await answer({ ...charted, compare: inSteps }, rowsOfTrend)
  expect(without, 'a comparison with too many rows leaves enough for the chart').toHaveProperty('trend')
  expect(without).not.toHaveProperty('compare')
})
