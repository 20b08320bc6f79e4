import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { fullSize, largeScenario, openWorld, Random, runAgent, SimulatedAgent } from '../../simulator/src/index.ts'
import { fold } from '../src/ingest/jobs/fold.ts'
import { requestSnapshot } from '../src/clusters/queries/sync-jobs.ts'
import { aCluster, aPerson } from './people.ts'
import { storedSums } from './stored-hours.ts'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp({ limits: { agent: 20 } })
const startSecond = 500_000 * 3600
let url: string

beforeAll(async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
})

type Call = { attempt: number; clusterId: string; body: Uint8Array; pass: () => Promise<Response> }

/** The agent of the simulator against the real route, optionally with a proxy in between. */
async function report(minutes: number, between: (call: Call) => Promise<Response> = ({ pass }) => pass()) {
  t.clock.now = new Date((startSecond + minutes * 60) * 1000)
  const cluster = await aCluster(t)
  const size = { ...fullSize, nodes: 3, podsPerNode: 5, workloads: 5, churnPerHour: 0.5 }
  const scenario = { ...largeScenario(size), clusterUid: cluster.clusterId }
  const agent = new SimulatedAgent(openWorld(scenario, startSecond))
  const slept: number[] = []
  let attempts = 0
  const target = {
    url,
    token: cluster.agentToken,
    random: new Random(1),
    sleep: async (seconds: number) => {
      slept.push(seconds)
      // The rate limit window is over by then.
      await sql`delete from rate_limit`.execute(t.db)
    },
    fetch: (...call: Parameters<typeof fetch>) => {
      const body = (call[1]?.body ?? new Uint8Array()) as Uint8Array
      return between({ attempt: (attempts += 1), clusterId: cluster.clusterId, body, pass: () => fetch(...call) })
    },
  }
  const result = await runAgent(agent, target, { pace: 'fast', now: () => 0, minutes })
  t.clock.now = new Date((startSecond + minutes * 60 + 3600) * 1000)
  await fold(t.deps, cluster)
  return { ...result, cluster, slept, sums: await storedSums(t, cluster.clusterId) }
}

test('more batches than allowed per minute all arrive, because the agent waits as the server says', async () => {
  const { stopped, sent, slept, sums } = await report(65)
  expect({ stopped, accepted: sent.accepted }).toEqual({ stopped: 'done', accepted: 67 })
  expect(slept.length).toBeGreaterThanOrEqual(2)
  expect(sums.filter(({ table }) => table === 'node').map(({ seconds }) => seconds)).toEqual(Array(3).fill('3600'))
})

test('a failing server and a proxy with small bodies do not change the stored data', async () => {
  const calm = await report(62)
  const troubled = await report(62, async ({ attempt, pass, body }) => {
    if (attempt % 7 === 0) return new Response('away', { status: 503 })
    if (body.length > 1800) return new Response('too large', { status: 413 })
    const answer = await pass()
    // The batch is stored, but the response is lost.
    return attempt % 11 === 0 ? new Response('lost', { status: 502 }) : answer
  })
  expect(calm.sums.length).toBeGreaterThan(0)
  expect(troubled).toMatchObject({ stopped: 'done', sums: calm.sums })
  expect(troubled.sent['too-large']).toBeGreaterThan(0)
})

test('the agent sends a requested snapshot, and stops when its cluster is deleted', async () => {
  const admin = await aPerson(t)
  const { stopped, minutes, sent } = await report(9, async ({ attempt, clusterId, pass }) => {
    // Requested in the response to the second minute; the third comes with a snapshot, in two batches.
    if (attempt === 3) await requestSnapshot(t.db, clusterId, t.clock.now)
    if (attempt === 6) {
      const call = { method: 'DELETE' as const, url: `/api/v1/clusters/${clusterId}`, headers: admin.bearer }
      expect((await send(t, call)).statusCode).toBeLessThan(300)
    }
    return pass()
  })
  expect({ stopped, minutes, accepted: sent.accepted }).toEqual({ stopped: 'gone', minutes: 4, accepted: 5 })
})
