import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cluster, Summary } from '@plimsoll/contract'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { Agent, ServerClock, type AgentDeps } from '../../agent/src/index.ts'
import { fullSize, largeScenario, openWorld, Random, runAgent, SimulatedAgent } from '../../simulator/src/index.ts'
import { fold } from '../src/ingest/jobs/fold.ts'
import { aCluster, aPerson } from './people.ts'
import { storedSums } from './stored-hours.ts'
import { send, useTestApp } from './test-app.ts'

/** The real and the simulated agent report the same world to the real server, with the same result. */
const t = useTestApp({ limits: { agent: 1000 } })
const startSecond = 500_000 * 3600
const minutes = 62
let url: string

beforeAll(async () => {
  await t.app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
})

const aWorld = (clusterUid: string) =>
  openWorld(
    { ...largeScenario({ ...fullSize, nodes: 3, podsPerNode: 5, workloads: 5, churnPerHour: 0.5 }), clusterUid },
    startSecond,
  )

async function simulated() {
  const cluster = await aCluster(t)
  t.clock.now = new Date((startSecond + minutes * 60) * 1000)
  const target = { url, token: cluster.agentToken, random: new Random(1), sleep: async () => undefined }
  await runAgent(new SimulatedAgent(aWorld(cluster.clusterId)), target, { pace: 'fast', now: () => 0, minutes })
  return cluster
}

/** Its cluster is the world of the simulator, and a minute passes with each request. */
async function real() {
  const cluster = await aCluster(t)
  const world = aWorld(cluster.clusterId)
  const directory = await mkdtemp(join(tmpdir(), 'plimsoll-agent-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const stop = new AbortController()
  let elapsed = 0
  const observer: AgentDeps['observer'] = {
    synced: Promise.resolve(),
    facts: () => ({ version: '0.1.0', kubernetes_version: 'v1.33.0', usage_source: 'kubelet' }),
    conditions: () => [{ kind: 'services', status: 'forbidden', reason: 'forbidden', message: 'may not be read' }],
    clusterUid: async () => cluster.clusterId,
    living: () => world.living(),
    takeMinute: () => world.advance(),
    freshness: () => [],
    stop: async () => undefined,
  }
  // Only responses of the server advance the clock: one minute for each minute batch, and for the first snapshot.
  const fetchThrough: typeof fetch = async (...call) => {
    const isMinute = !(call[1]?.headers as Record<string, string>)['plimsoll-part']
    const next = isMinute || elapsed === 0 ? Math.min(elapsed + 60, minutes * 60) : elapsed
    const isLast = next === elapsed && isMinute
    t.clock.now = new Date((startSecond + next + 1) * 1000)
    const answer = await fetch(...call)
    elapsed = next
    if (isLast) stop.abort()
    return answer
  }
  const agent = new Agent({
    url,
    readToken: async () => cluster.agentToken,
    // One more second, in which the last samples come.
    monotonic: () => elapsed + (elapsed > 0 ? 1 : 0),
    random: () => 0,
    fetch: fetchThrough,
    log: () => undefined,
    observer,
    clock: new ServerClock(() => elapsed + (elapsed > 0 ? 1 : 0), startSecond),
    outbox: { directory },
    newEpochId: () => `epoch-${cluster.clusterId}`,
    speed: 10_000,
  })
  await agent.run(stop.signal)
  return cluster
}

async function stored({ clusterId }: { clusterId: string }) {
  t.clock.now = new Date((startSecond + minutes * 60 + 3600) * 1000)
  await fold(t.deps, { clusterId })
  return storedSums(t, clusterId)
}

test('the agent and the simulator give the same hours for the same cluster', async () => {
  const theirs = await stored(await simulated())
  expect(theirs.length).toBeGreaterThan(3)
  expect(await stored(await real())).toEqual(theirs)
})

test('its cost is shown, with what the agent cannot read', async () => {
  const { bearer } = await aPerson(t)
  const cluster = await real()
  await stored(cluster)
  const shown = await send(t, { url: `/api/v1/clusters/${cluster.clusterId}`, headers: bearer })
  expect(shown.json<Cluster>()).toMatchObject({ node_count: 3, agent: { version: '0.1.0' } })
  expect(shown.json<Cluster>().conditions).toContainEqual(expect.objectContaining({ type: 'agent', ok: false }))
  const summary = await send(t, { url: `/api/v1/clusters/${cluster.clusterId}/summary?window=24h`, headers: bearer })
  expect(summary.json<Summary>().cost_breakdown.total).toBeGreaterThan(0)
})
