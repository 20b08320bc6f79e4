import { decodeBatch, recordsOf } from '@plimsoll/agent'
import { expect, test } from 'vitest'
import { shareBalancer, shareVolume } from '@plimsoll/engine/allocation'
import { aPool, aScenario, aWorkload, batchesOf, START, START_MINUTE, watch } from './a-scenario.ts'
import { Truth } from './truth.ts'
import { openWorld } from '../src/world/world.ts'

const HOUR = { from: START, to: START + 3600 }
const steady = {
  name: 'app',
  request: { cpuMillicores: 1000, memoryMib: 1024 },
  uses: { cpuMillicores: 0, memoryMib: 0 },
}

test('a pod that exists for the whole time pays its request for the whole time', () => {
  const pools = [aPool({ count: 1 })]
  const { truth } = watch(openWorld(aScenario({ pools, workloads: [aWorkload({ containers: [steady] })] }), START), 60)
  const [node = ''] = truth.nodeUids()
  const { containers, node: use } = truth.allocation(node, HOUR)
  expect(containers).toHaveLength(1)
  expect(containers[0]).toMatchObject({ container: 'app', seconds: 3600 })
  // One core and 1 GiB for an hour, unused, in microcore-seconds and KiB-seconds; the node has four cores.
  expect(containers[0]?.use.cpu).toMatchObject({ alloc: 1_000_000 * 3600, used: 0, knownSeconds: 3600 })
  expect(containers[0]?.use.memory).toMatchObject({ alloc: 1_048_576 * 3600, used: 0 })
  expect(use.cpu).toMatchObject({ capacity: 4_000_000 * 3600, clusterIdle: 3_000_000 * 3600 })
})

test('lost minutes count as unknown', () => {
  const pools = [aPool({ count: 1 })]
  const { truth } = watch(openWorld(aScenario({ pools, workloads: [aWorkload({ containers: [steady] })] }), START), 60)
  const [node = ''] = truth.nodeUids()
  const isSeen = (_uid: string, minute: number) => minute < START_MINUTE + 10 || minute >= START_MINUTE + 30
  const { cpu } = truth.allocation(node, HOUR, { isSeen }).containers[0]?.use ?? {}
  expect(cpu).toMatchObject({ knownSeconds: 2400, alloc: 1_000_000 * 3600, used: 1_000_000 * 1200 })
})

test('a job is charged to the second', () => {
  const runs = { seconds: 100, atSecond: 200 }
  const job = aWorkload({ kind: 'Job', archetype: { kind: 'batch' }, runs, containers: [steady] })
  const { facts, truth } = watch(openWorld(aScenario({ workloads: [job] }), START), 60)
  const done = facts.flatMap(({ pods }) => pods).find(({ phase }) => phase === 'succeeded')
  const [node = ''] = truth.nodeUids()
  const seconds = (done?.from ?? 0) - (done?.boundAt ?? 0)
  expect(seconds).toBeGreaterThan(90)
  expect(truth.allocation(node, HOUR).containers[0]?.use.cpu.request).toBe(1_000_000 * seconds)
})

test('hours add up: two halves equal the whole', () => {
  const { truth } = watch(
    openWorld(aScenario({ workloads: [aWorkload({ replicas: 6 })], churnPerHour: 10 }), START),
    60,
  )
  const half = START + 1800
  for (const uid of truth.nodeUids()) {
    const [whole, first, second] = [HOUR, { ...HOUR, to: half }, { ...HOUR, from: half }].map(
      (window) => truth.allocation(uid, window).node.cpu,
    )
    expect((first?.alloc ?? 0) + (second?.alloc ?? 0)).toBe(whole?.alloc)
    expect((first?.used ?? 0) + (second?.used ?? 0)).toBe(whole?.used)
  }
})

test('volumes and load balancers are shared by their users, each second once', () => {
  const world = openWorld(
    aScenario({
      workloads: [aWorkload({ replicas: 3 })],
      volumes: [{ namespace: 'shop', name: 'shared', sizeGib: 1, storageClass: '', driver: '', workload: 'web' }],
      balancers: [{ namespace: 'shop', name: 'front', workload: 'web' }],
      churnPerHour: 10,
    }),
    START,
  )
  const { volumes, balancers } = world.living()
  const { truth } = watch(world, 60)
  const { mounts, ...volume } = truth.volume(volumes[0]?.uid ?? '')
  const shares = shareVolume(volume, mounts, HOUR)
  expect(shares.total).toBe(1_048_576n * 3600n)
  expect([...shares.byUser.values()].reduce((a, b) => a + b, shares.unused)).toBe(shares.total)
  expect(shares.byUser.size).toBeGreaterThan(3)
  const { life, readyPods } = truth.balancer(balancers[0]?.uid ?? '')
  expect(shareBalancer(life, readyPods, HOUR).byUser.size).toBeGreaterThan(3)
})

test('facts that went through batches of any epoch add up to the same', () => {
  const scenario = aScenario({
    pools: [aPool(), aPool({ name: 'spot', interruptionsPerNodeDay: 30 })],
    workloads: [
      aWorkload({ replicas: 9, archetype: { kind: 'web' } }),
      aWorkload({ name: 'job', kind: 'CronJob', runs: { everyMinutes: 4, seconds: 45 } }),
    ],
    churnPerHour: 8,
  })
  const { truth } = watch(openWorld(scenario, START), 60)
  const decoded = batchesOf(scenario, 60).map((encoded) => decodeBatch(encoded))
  const [snapshot, ...deltas] = decoded.map((each) => ({ ...recordsOf(each), minute: each.batch.observed_at / 60 - 1 }))
  if (!snapshot) throw new Error('the first batch is a snapshot')
  const read = new Truth(snapshot)
  for (const delta of deltas) read.add(delta)
  expect(read.nodeUids()).toEqual(truth.nodeUids())
  for (const uid of truth.nodeUids()) expect(read.allocation(uid, HOUR)).toEqual(truth.allocation(uid, HOUR))
})
