import { BatchWriter, type Batch } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect } from 'vitest'
import { fold } from '../src/jobs/fold.ts'
import { aCluster, type Person } from './people.ts'
import { sendBatch } from './send-batch.ts'
import {
  agent,
  batchesOf,
  endSecond,
  smallWorldWithAssets,
  startSecond,
  type BatchPlan,
  type SmallWorld,
  type WorldAsset,
} from './small-world.ts'
import { send, type TestApp } from './test-app.ts'

export type FoldedCluster = Awaited<ReturnType<typeof aCluster>>

/** In Frankfurt: m5.xlarge has 4 cores and 16 GiB for $0.23 an hour, c5.xlarge 4 cores and 8 GiB for $0.194. */
export const twoNodes: SmallWorld = {
  nodes: [
    { uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity },
    { uid: 'node-1', bornAt: startSecond - 60, endedAt: Infinity, instanceType: 'c5.xlarge', pool: 'compute' },
  ],
  pods: [
    aPod('web', { node: 0, millicores: 1000, gib: 4, namespace: 'shop', labels: { team: 'red' } }),
    aPod('db', { node: 1, millicores: 2000, gib: 6, namespace: 'data', labels: { team: 'blue' } }),
  ],
}

type PodFacts = { node: number; millicores: number; gib: number; namespace: string; labels: Record<string, string> }

function aPod(uid: string, { node, millicores, gib, namespace, labels }: PodFacts): SmallWorld['pods'][number] {
  const containers = [{ name: 'c0', millicores, kib: gib * 1024 * 1024 }]
  const life = { boundAt: startSecond, endedAt: Infinity, resize: undefined }
  return { uid, node, containers, useSeed: 1, namespace, labels, ...life }
}

/** A disk of 100 GiB that both mount for the second hour, one that nobody mounts, and a balancer in front of the web. */
export const twoNodesWithAssets: SmallWorld = {
  ...twoNodes,
  assets: [
    aDisk(
      'shared',
      [0, 1].map((pod) => ({ pod, from: startSecond + 3600, to: Infinity })),
    ),
    aDisk('forgotten', []),
    { ...aDisk('entrance', [{ pod: 0, from: startSecond, to: Infinity }]), kind: 'balancer' },
  ],
}

function aDisk(uid: string, users: WorldAsset['users']): WorldAsset {
  const life = { bornAt: startSecond - 3600, endedAt: Infinity, resize: undefined }
  return { uid, kind: 'volume', sizeKib: 100 * 1024 * 1024, users, ...life }
}

/** Worlds of several namespaces, labels, pools and prices, with volumes and balancers. */
export const mixedWorld: fc.Arbitrary<SmallWorld> = smallWorldWithAssets.map(({ nodes, pods, ...others }) => ({
  ...others,
  nodes: nodes.map((node, index) => ({
    ...node,
    ...(index === 1 ? { instanceType: 'c5.xlarge', pool: 'compute' } : {}),
    ...(index === 2 ? { instanceType: 'r5.large', pool: 'memory' } : {}),
  })),
  pods: pods.map((pod, index) => ({
    ...pod,
    namespace: ['shop', 'data', 'ops'][index % 3] ?? 'shop',
    labels: index % 4 === 0 ? {} : { team: index % 2 === 0 ? 'red' : 'blue' },
  })),
}))

/** What an agent saw, sent and folded on the real path. Afterwards it is a moment after the world's end. */
export async function aFoldedCluster(
  t: TestApp,
  world: SmallWorld = twoNodes,
  plan: BatchPlan = {},
): Promise<FoldedCluster> {
  const cluster = await aCluster(t)
  await deliver(t, cluster, batchesOf(world, { minutesPerBatch: 10, ...plan }))
  await foldAt(t, cluster, endSecond)
  return cluster
}

/** The agent was there at the start and again so many hours later: all that lies between is bridged. */
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
