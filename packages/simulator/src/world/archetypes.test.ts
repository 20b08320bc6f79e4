import type { MinuteFacts } from '@plimsoll/agent'
import { describe, expect, test } from 'vitest'
import { aPool, aScenario, aWorkload, START, START_MINUTE, watch } from '../../test/a-scenario.ts'
import type { Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { openWorld } from './world.ts'

const run = (overrides: Partial<Scenario>, minutes: number) => watch(openWorld(aScenario(overrides), START), minutes)
const runOne = (workload: Partial<WorkloadScenario>, minutes: number) =>
  run({ workloads: [aWorkload(workload)] }, minutes).facts

const samplesOf = (facts: MinuteFacts) => facts.usage.flatMap(({ samples }) => samples)
const container = (uses: { cpuMillicores: number; memoryMib: number }, limit = {}) => ({
  name: 'app',
  request: { cpuMillicores: 500, memoryMib: 512 },
  uses,
  limit,
})

test('a leak grows to its limit, is OOM-killed, and starts again from the bottom', () => {
  const containers = [container({ cpuMillicores: 100, memoryMib: 100 }, { memoryMib: 400 })]
  const facts = runOne({ archetype: { kind: 'leak', memoryMibPerHour: 600 }, containers }, 120)
  const events = facts.flatMap((each) => each.events)
  // 300 MiB of free memory at 600 MiB per hour: OOM-killed every half hour.
  const kills = events.filter(({ oomKills }) => oomKills === 1).map(({ at }) => at)
  expect(kills.length).toBeGreaterThanOrEqual(3)
  for (const [index, at] of kills.slice(1).entries()) expect(at - (kills[index] ?? 0)).toBe(1800 + 2)
  expect(events.filter(({ restarts }) => restarts === 1)).toHaveLength(kills.length)
  const memoryMib = facts.map((each) => (samplesOf(each)[0]?.memoryMeanKib ?? 0) / 1024)
  expect(Math.max(...memoryMib)).toBeGreaterThan(380)
  expect(Math.max(...memoryMib)).toBeLessThanOrEqual(400)
  expect(Math.min(...memoryMib)).toBeLessThan(115)
})

describe('a CPU limit', () => {
  const throttlingOf = (facts: readonly MinuteFacts[]) =>
    facts.flatMap(({ events }) => events).flatMap(({ throttling }) => throttling ?? [])
  const limited = (cpuMillicores: number, limit: object, minutes = 60) =>
    throttlingOf(
      runOne(
        { archetype: { kind: 'steady' }, containers: [container({ cpuMillicores, memoryMib: 100 }, limit)] },
        minutes,
      ),
    )

  test('is enforced all the time, and sent every ten minutes', () => {
    const events = limited(100, { cpuMillicores: 1000 })
    expect(events.length).toBeGreaterThanOrEqual(5)
    expect(new Set(events.slice(1).map(({ periods }) => periods))).toEqual(new Set([6000]))
    expect(new Set(events.map(({ throttledPeriods }) => throttledPeriods))).toEqual(new Set([0]))
  })

  test('throttles a container with a higher demand, and more with a higher demand', () => {
    const shares = [450, 500, 600, 2000].map((wanted) => {
      const events = limited(wanted, { cpuMillicores: 500 })
      const sum = (of: (each: (typeof events)[number]) => number) => events.reduce((total, each) => total + of(each), 0)
      return sum(({ throttledPeriods }) => throttledPeriods) / sum(({ periods }) => periods)
    })
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares[0]).toBeLessThan(0.5)
    expect(shares[3]).toBe(1)
  })

  test('is not sent without a limit, or without a source of throttling', () => {
    expect(limited(2000, {})).toEqual([])
    const containers = [container({ cpuMillicores: 2000, memoryMib: 100 }, { cpuMillicores: 500 })]
    const workloads = [aWorkload({ archetype: { kind: 'steady' }, containers })]
    expect(throttlingOf(run({ usageSource: 'metrics-server', workloads }, 60).facts)).toEqual([])
  })
})

test('replicas follow the load of the day', () => {
  const workload = aWorkload({
    replicas: 4,
    archetype: { kind: 'web', peakHourUtc: 20, swing: 0.8 },
    autoscaler: { replicasMin: 1, replicasMax: 10, targetPercent: 50 },
  })
  const world = openWorld(aScenario({ workloads: [workload] }), START)
  const replicasAfter = (hours: number) => {
    watch(world, hours * 60)
    return world.living().pods.length
  }
  // Four pods of 200m at a load of 1 are 800m, with a target of 250m each: 1.8 × 800 ÷ 250 is 5.8, and 0.2 × 800 ÷ 250
  // is 0.6.
  expect(replicasAfter(6)).toBe(6)
  expect(replicasAfter(12)).toBe(1)
})

test('a CronJob runs on time, its pods end by themselves and are removed later', () => {
  const facts = runOne(
    {
      kind: 'CronJob',
      replicas: 2,
      archetype: { kind: 'batch' },
      runs: { everyMinutes: 10, seconds: 60, keepSeconds: 90 },
    },
    60,
  )
  const pods = facts.flatMap((each) => each.pods)
  const succeeded = pods.filter(({ phase }) => phase === 'succeeded')
  expect(succeeded).toHaveLength(12)
  expect(new Set(succeeded.map(({ workloadKind, workloadName }) => `${workloadKind} ${workloadName}`))).toEqual(
    new Set(['CronJob web']),
  )
  const [first] = succeeded
  const end = facts.flatMap((each) => each.ends).find(({ ref }) => ref === first?.ref)
  expect(end?.at).toBe((first?.from ?? 0) + 90)
  expect((first?.from ?? 0) - (first?.boundAt ?? 0)).toBeGreaterThan(54)
})

test('a crash loop has a growing back-off, and holds its request all the time', () => {
  const { facts, truth } = run(
    { workloads: [aWorkload({ archetype: { kind: 'crash-loop', secondsToCrash: 10 } })] },
    60,
  )
  const restarts = facts.flatMap((each) => each.events).map(({ at }) => at)
  const gaps = restarts.slice(1).map((at, index) => at - (restarts[index] ?? 0))
  expect(gaps[0]).toBeLessThan(40)
  expect(gaps.at(-1)).toBeGreaterThan(300)
  const uid = truth.nodeUids().find((each) => truth.podsOf(each).length > 0) ?? ''
  const { containers } = truth.allocation(uid, { from: START, to: START + 3600 })
  expect(containers[0]?.use.cpu.request).toBe(500_000 * 3600)
  expect(containers[0]?.use.cpu.knownSeconds).toBeLessThan(3600)
})

test('a rollout replaces all pods by pods of another hash and never has fewer', () => {
  const happenings = [{ kind: 'rollout' as const, atSecond: 90, namespace: 'shop', workload: 'web' }]
  const world = openWorld(aScenario({ workloads: [aWorkload({ replicas: 8 })], happenings }), START)
  const before = new Set(world.living().pods.map(({ labels }) => labels['pod-template-hash']))
  const { facts } = watch(world, 10)
  const after = new Set(world.living().pods.map(({ labels }) => labels['pod-template-hash']))
  expect([before.size, after.size]).toEqual([1, 1])
  expect(after).not.toEqual(before)
  expect(world.living().pods).toHaveLength(8)
  expect(facts.flatMap((each) => each.ends)).toHaveLength(8)
})

test('an in-place resize is requested first and then allocated, and the pod stays', () => {
  const resize = { kind: 'resize' as const, atSecond: 70, namespace: 'shop', workload: 'web', container: 'app' }
  const { facts } = run({ happenings: [{ ...resize, cpuMillicores: 750 }] }, 5)
  const steps = facts.flatMap((each) => each.pods).map(({ shape: { containers } }) => containers[0])
  expect(steps).toMatchObject([{ cpu_request: 750, cpu_allocated: 500 }, { cpu_request: 750 }])
  expect(steps[1]).not.toHaveProperty('cpu_allocated')
})

test('a resize that exceeds the node stays pending', () => {
  const resize = { kind: 'resize' as const, atSecond: 70, namespace: 'shop', workload: 'web', container: 'app' }
  const { facts } = run({ happenings: [{ ...resize, cpuMillicores: 9000 }] }, 5)
  const [pod, ...others] = facts.flatMap((each) => each.pods)
  expect(pod?.shape).toMatchObject({ resize_infeasible: true, containers: [{ cpu_request: 9000, cpu_allocated: 500 }] })
  expect(others).toEqual([])
})

test('pods that fit on no node stay pending, and a pool with autoscaling grows', () => {
  const workloads = [aWorkload({ replicas: 20 })]
  const fixed = openWorld(aScenario({ workloads }), START)
  watch(fixed, 10)
  expect(fixed.living().pods.filter(({ nodeRef }) => nodeRef === 0)).toHaveLength(6)
  const growing = openWorld(aScenario({ workloads, pools: [aPool({ autoscaling: { min: 2, max: 5 } })] }), START)
  watch(growing, 10)
  expect(growing.living().pods.filter(({ nodeRef }) => nodeRef === 0)).toEqual([])
  expect(growing.living().nodes).toHaveLength(3)
})

test('a pool with autoscaling removes a node after ten empty minutes', () => {
  const pools = [aPool({ count: 3, autoscaling: { min: 1, max: 3 } })]
  const world = openWorld(aScenario({ pools, workloads: [aWorkload({ replicas: 8 })] }), START)
  watch(world, 15)
  expect(world.living().nodes).toHaveLength(2)
})

test('a spot node is interrupted with its pods, and both are replaced', () => {
  const happenings = [{ kind: 'interrupt-node' as const, atSecond: 30, pool: 'general' }]
  const world = openWorld(
    aScenario({ workloads: [aWorkload({ replicas: 4 }), aWorkload({ name: 'agent', kind: 'DaemonSet' })], happenings }),
    START,
  )
  const [first] = world.living().nodes
  const { facts } = watch(world, 6)
  expect(facts.flatMap((each) => each.ends)).toContainEqual({ ref: first?.ref, at: START + 150 })
  const { nodes, pods } = world.living()
  expect(nodes).toHaveLength(2)
  expect(pods.filter(({ phase }) => phase === 'running')).toHaveLength(6)
  expect(new Set(pods.map(({ nodeRef }) => nodeRef))).not.toContain(first?.ref)
})

test('a StatefulSet reuses its names and its volumes', () => {
  const claim = { sizeGib: 10, storageClass: 'gp3', driver: 'ebs.csi.aws.com' }
  const scale = { kind: 'scale' as const, namespace: 'shop', workload: 'db' }
  const happenings = [
    { ...scale, atSecond: 60, replicas: 3 },
    { ...scale, atSecond: 300, replicas: 1 },
  ]
  const workloads = [aWorkload({ name: 'db', kind: 'StatefulSet', replicas: 2, claim })]
  const world = openWorld(aScenario({ workloads, happenings }), START)
  watch(world, 10)
  expect(world.living().pods.map(({ name }) => name)).toEqual(['db-0'])
  const mounts = world.living().volumes.map(({ claim: name, mountedPodRefs }) => [name, mountedPodRefs.length])
  expect(mounts).toEqual([
    ['data-db-0', 1],
    ['data-db-1', 0],
    ['data-db-2', 0],
  ])
})

test('all pods mount a shared volume; an orphaned volume is unattached; a load balancer without a workload has no endpoints', () => {
  const volume = { namespace: 'shop', sizeGib: 1, storageClass: 'nfs', driver: '' }
  const world = openWorld(
    aScenario({
      workloads: [aWorkload({ replicas: 3 })],
      volumes: [
        { ...volume, name: 'shared', workload: 'web' },
        { ...volume, name: 'orphan' },
      ],
      balancers: [
        { namespace: 'shop', name: 'front', workload: 'web' },
        { namespace: 'shop', name: 'forgotten' },
      ],
    }),
    START,
  )
  expect(world.living().volumes.map(({ mountedPodRefs }) => mountedPodRefs.length)).toEqual([3, 0])
  expect(world.living().balancers.map(({ readyPodRefs }) => readyPodRefs.length)).toEqual([3, 0])
})

test('a web workload is busy in the afternoon and quiet at night; a spiky workload has peaks', () => {
  const cpu = (facts: MinuteFacts[]) => facts.map((each) => (samplesOf(each)[0]?.cpuMeanTenths ?? 0) / 10)
  const web = cpu(runOne({ archetype: { kind: 'web', peakHourUtc: 15, swing: 0.8 } }, 15 * 60))
  expect(web[60] ?? 0).toBeGreaterThan(4 * (web[13 * 60] ?? Infinity))
  const spiky = cpu(runOne({ archetype: { kind: 'spiky', spikesPerDay: 24, factor: 10 } }, 240))
  const calm = spiky.filter((value) => value < 200).length
  expect(calm).toBeGreaterThan(180)
  expect(Math.max(...spiky)).toBeGreaterThan(1000)
})

test('GPUs are allocated only to pods that request them, up to the capacity', () => {
  const gpu = { resource: 'nvidia.com/gpu', product: 'NVIDIA-L4', count: 1, replicas: 2 }
  const containers = [{ ...container({ cpuMillicores: 10, memoryMib: 10 }), request: { gpus: 1 } }]
  const world = openWorld(
    aScenario({
      pools: [aPool({ gpu, dedicated: true })],
      workloads: [aWorkload({ replicas: 5, containers, pools: ['general'] })],
    }),
    START,
  )
  // Two nodes with one GPU each in two slices: four pods fit.
  expect(world.living().pods.filter(({ nodeRef }) => nodeRef !== 0)).toHaveLength(4)
})

test('init containers run first, and only containers with enough runtime have usage', () => {
  const containers = [
    ...aWorkload().containers,
    { name: 'migrate', kind: 'init' as const, uses: { cpuMillicores: 900, memoryMib: 50 }, seconds: 40 },
    { name: 'mesh', kind: 'sidecar' as const, uses: { cpuMillicores: 5, memoryMib: 20 } },
  ]
  const world = openWorld(aScenario({ workloads: [aWorkload({ containers })], churnPerHour: 10 }), START)
  expect(world.living().pods[0]?.shape.containers.map(({ name }) => name)).toEqual(['migrate', 'mesh', 'app'])
  const { facts } = watch(world, 60)
  const seen = new Set(facts.flatMap(samplesOf).map((sample) => sample.container))
  expect(seen).toEqual(new Set([0, 1, 2]))
})

test('without a usage source, node-minutes have no samples', () => {
  const { facts } = run({ usageSource: 'none' }, 2)
  expect(facts[0]).toMatchObject({ minute: START_MINUTE, usage: [{ samples: [] }, { samples: [] }] })
})
