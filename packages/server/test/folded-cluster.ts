import { BatchWriter, type Batch } from '@plimsoll/contract'
import { expect } from 'vitest'
import { fold } from '../src/ingest/jobs/fold.ts'
import {
  agent,
  batchesOf,
  type BatchPlan,
  endSecond,
  type SmallWorld,
  startSecond,
  twoNodes,
} from '@plimsoll/pipeline/testing'
import { aCluster, type Person } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { send, type TestApp } from './test-app.ts'

export type FoldedCluster = Awaited<ReturnType<typeof aCluster>>

/**
 * Observations of an agent, sent and folded by the production code. Afterwards the time is just after the end of the
 * world. An agent sends a batch each minute; larger batches take less CPU time.
 */
export async function aFoldedCluster(
  t: TestApp,
  world: SmallWorld = twoNodes,
  plan: BatchPlan = {},
): Promise<FoldedCluster> {
  const cluster = await aCluster(t)
  await deliver(t, cluster, batchesOf(world, { minutesPerBatch: 60, ...plan }))
  await foldAt(t, cluster, endSecond)
  return cluster
}

const readClusters = new WeakMap<TestApp, Map<SmallWorld, Promise<FoldedCluster>>>()

/** As `aFoldedCluster`, but one for all tests of an app that only read it: folding takes most of their time. */
export async function aReadCluster(t: TestApp, world: SmallWorld = twoNodes): Promise<FoldedCluster> {
  const ofApp = readClusters.get(t) ?? new Map<SmallWorld, Promise<FoldedCluster>>()
  readClusters.set(t, ofApp)
  const cluster = ofApp.get(world) ?? aFoldedCluster(t, world)
  ofApp.set(world, cluster)
  await cluster
  t.clock.now = new Date(endSecond * 1000)
  return cluster
}

/** The agent reported at the start and again this many hours later: the time between is bridged. */
export async function aBridgedCluster(t: TestApp, hours: number, world: SmallWorld = twoNodes): Promise<FoldedCluster> {
  const cluster = await aCluster(t)
  const end = startSecond + hours * 3600
  const first = batchesOf(world, { isLost: () => true }).slice(0, 1)
  const begun = first.map((batch) => ({ ...batch, observed_at: startSecond }))
  await deliver(t, cluster, [...begun, new BatchWriter().finish(agent, end)])
  await foldAt(t, cluster, end)
  return cluster
}

export async function deliver(t: TestApp, { agentToken }: FoldedCluster, batches: Batch[], epoch = 'epoch-1') {
  t.clock.now = new Date(startSecond * 1000)
  for (const [index, batch] of batches.entries()) {
    const response = await sendBatch(t, agentToken, batch, { epoch, seq: index + 1 })
    expect(response.statusCode).toBe(202)
  }
}

export async function foldAt(t: TestApp, { clusterId }: FoldedCluster, second: number): Promise<void> {
  t.clock.now = new Date(second * 1000)
  await fold(t.deps, { clusterId })
}

export const isoHour = (hoursAfterStart: number) =>
  new Date((startSecond + hoursAfterStart * 3600) * 1000).toISOString()

/** The two whole hours of the world. */
export const wholeWorld = `from=${isoHour(0)}&to=${isoHour(2)}`

export async function get<Body>(t: TestApp, { bearer }: Person, url: string): Promise<Body> {
  const response = await send(t, { url, headers: bearer })
  expect(response.statusCode, response.body).toBe(200)
  return response.json<Body>()
}
