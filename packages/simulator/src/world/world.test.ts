import type { Resource } from '@plimsoll/engine'
import { wholeRequest } from '@plimsoll/engine/allocation'
import { podSpans } from '@plimsoll/engine/testing'
import { expect, test } from 'vitest'
import { aPool, aScenario, aWorkload, START, watch } from '../../test/a-scenario.ts'
import { awsProduction, azureOffice, fullSize, gcpPlatform, largeScenario } from '../index.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { proxy } from '../scenarios/parts.ts'
import { openState } from './open-state.ts'
import { makeTemplate } from './templates.ts'
import { openWorld } from './world.ts'

/** A world with many events: little capacity, rollouts, resizes, nodes that are added and removed. */
const busy: Scenario = aScenario({
  pools: [aPool({ count: 4, autoscaling: { min: 2, max: 6 } }), aPool({ name: 'spot', interruptionsPerNodeDay: 40 })],
  workloads: [
    aWorkload({ replicas: 20 }),
    aWorkload({ name: 'batch', kind: 'CronJob', replicas: 6, runs: { everyMinutes: 3, seconds: 50, keepSeconds: 30 } }),
    aWorkload({ name: 'agent', kind: 'DaemonSet' }),
    aWorkload({ name: 'db', kind: 'StatefulSet', replicas: 2, claim: { sizeGib: 1, storageClass: '', driver: '' } }),
    aWorkload({ name: 'crash', archetype: { kind: 'crash-loop' } }),
  ],
  happenings: [
    { kind: 'rollout', atSecond: 600, namespace: 'shop', workload: 'web' },
    { kind: 'rollout', atSecond: 900, namespace: 'shop', workload: 'agent' },
    { kind: 'rollout', atSecond: 950, namespace: 'shop', workload: 'db' },
    { kind: 'resize', atSecond: 1800, namespace: 'shop', workload: 'web', container: 'app', cpuMillicores: 900 },
    { kind: 'replace-node', atSecond: 2400, pool: 'general' },
    { kind: 'scale', atSecond: 3000, namespace: 'shop', workload: 'db', replicas: 4 },
  ],
  balancers: [{ namespace: 'shop', name: 'web', workload: 'web' }],
  churnPerHour: 3,
})

const scenarios: Scenario[] = [
  awsProduction,
  gcpPlatform,
  azureOffice,
  busy,
  largeScenario({ ...fullSize, nodes: 10, workloads: 60, churnPerHour: 1 }),
]

test.each(scenarios)('$name: the same scenario and start time give the same facts', (scenario) => {
  expect(watch(openWorld(scenario, START), 20).facts).toEqual(watch(openWorld(scenario, START), 20).facts)
})

test.each(scenarios)('$name: a node never allocates more than its capacity, and only while it exists', (scenario) => {
  const { truth } = watch(openWorld(scenario, START), 90)
  const now = START + 90 * 60
  for (const uid of truth.nodeUids()) {
    const { allocatable, life } = truth.node(uid)
    const spans = podSpans(truth.podsOf(uid, { isSeen: () => false }), now)
    for (const { from, to } of spans) {
      expect(from).toBeGreaterThanOrEqual(life.from)
      expect(to).toBeLessThanOrEqual(life.to)
      const beside = spans.filter((span) => span.from <= from && from < span.to)
      const sum = (resource: Resource) => beside.reduce((all, { request }) => all + wholeRequest(request)[resource], 0)
      expect(sum('cpu')).toBeLessThanOrEqual(allocatable.cpu)
      expect(sum('memory')).toBeLessThanOrEqual(allocatable.memory)
      expect(sum('gpu')).toBeLessThanOrEqual(allocatable.gpu)
    }
  }
})

test.each(scenarios)('$name: an object begins once, changes while it exists, ends once', (scenario) => {
  const world = openWorld(scenario, START)
  const opening = world.living()
  const { facts } = watch(world, 90)
  const uids = new Map<number, string>()
  const lastVersionAt = new Map<number, number>()
  const ended = new Set<number>()
  const all = [{ ...opening, ends: [] }, ...facts].map(({ nodes, pods, volumes, balancers, ends }) => ({
    versions: [...nodes, ...pods, ...volumes, ...balancers],
    ends,
  }))
  for (const { versions, ends } of all) {
    for (const { ref, uid, from } of versions) {
      expect(uids.get(ref) ?? uid).toBe(uid)
      expect(from).toBeGreaterThan(lastVersionAt.get(ref) ?? -1)
      expect(ended.has(ref)).toBe(false)
      uids.set(ref, uid)
      lastVersionAt.set(ref, from)
    }
    for (const { ref, at } of ends) {
      expect(at).toBeGreaterThan(lastVersionAt.get(ref) ?? Infinity)
      expect(ended.has(ref)).toBe(false)
      ended.add(ref)
    }
  }
  expect(new Set(uids.values()).size).toBe(uids.size)
})

test.each(scenarios)('$name: facts are in their minute and add up to the living objects at its end', (scenario) => {
  const world = openWorld(scenario, START)
  const living = new Map(world.living().pods.map((pod) => [pod.ref, pod]))
  for (let count = 0; count < 30; count += 1) {
    const { minute, pods, ends, events } = world.advance()
    const times = [...pods.map(({ from }) => from), ...ends.map(({ at }) => at), ...events.map(({ at }) => at)]
    expect(times.filter((time) => Math.floor(time / 60) !== minute)).toEqual([])
    for (const pod of pods) living.set(pod.ref, pod)
    for (const { ref } of ends) living.delete(ref)
    const byRef = (a: { ref: number }, b: { ref: number }) => a.ref - b.ref
    expect([...world.living().pods].sort(byRef)).toEqual([...living.values()].sort(byRef))
  }
})

test.each(scenarios)('$name: the usage of a node is within its capacity, and only of its own pods', (scenario) => {
  const world = openWorld(scenario, START)
  const nodes = new Map(world.living().nodes.map((node) => [node.ref, node]))
  const nodeOfPod = new Map(world.living().pods.map(({ ref, nodeRef }) => [ref, nodeRef]))
  for (let count = 0; count < 30; count += 1) {
    const facts = world.advance()
    for (const node of facts.nodes) nodes.set(node.ref, node)
    for (const { ref, nodeRef } of facts.pods) nodeOfPod.set(ref, nodeRef)
    for (const { nodeRef, samples } of facts.usage) {
      const node = nodes.get(nodeRef)
      const cpu = samples.reduce((sum, sample) => sum + sample.cpuMeanTenths, 0)
      expect(cpu).toBeLessThanOrEqual((node?.cpuCapacityMillicores ?? 0) * 10)
      expect(samples.filter(({ podRef }) => nodeOfPod.get(podRef) !== nodeRef)).toEqual([])
      const numbers = samples.flatMap((sample) => Object.values(sample))
      expect(numbers.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true)
    }
  }
})

test('events that are planned later happen as if they were planned from the start', () => {
  const later = { kind: 'resize', namespace: 'shop', workload: 'web', container: 'app', cpuMillicores: 300 } as const
  const removal = { kind: 'remove-node', atSecond: 4200, pool: 'general' } as const
  const happenings = [{ ...later, atSecond: 3900 }, removal]
  const known = openWorld({ ...busy, happenings: [...(busy.happenings ?? []), ...happenings] }, START)
  const planned = openWorld(busy, START)
  watch(known, 60)
  watch(planned, 60)
  planned.plan(happenings)
  const { facts } = watch(planned, 30)
  expect(facts).toEqual(watch(known, 30).facts)
  expect(facts.flatMap(({ pods }) => pods).some(({ shape }) => shape.containers[0]?.cpu_request === 300)).toBe(true)
  expect(() => planned.plan(happenings)).toThrow('is in the past')
})

test('a removed node is not replaced, and its pods are rescheduled', () => {
  const scenario = aScenario({
    pools: [aPool({ count: 3 })],
    workloads: [aWorkload({ replicas: 6 })],
    happenings: [{ kind: 'remove-node', atSecond: 60, pool: 'general' }],
  })
  const world = openWorld(scenario, START)
  watch(world, 30)
  const { nodes, pods } = world.living()
  expect(nodes).toHaveLength(2)
  expect(pods).toHaveLength(6)
  expect(pods.every(({ nodeRef }) => nodes.some(({ ref }) => ref === nodeRef))).toBe(true)
})

test('a node that is removed by name is the one that ends', () => {
  const scenario = aScenario({ pools: [aPool({ count: 3 })], workloads: [aWorkload({ replicas: 6 })] })
  const world = openWorld(scenario, START)
  const [first, ...others] = world.living().nodes.map(({ name }) => name)
  world.plan([{ kind: 'remove-node', atSecond: 60, pool: 'general', ...(first === undefined ? {} : { node: first }) }])
  watch(world, 30)
  expect(world.living().nodes.map(({ name }) => name)).toEqual(others)
})

test('a rollout changes the image of the workload, and no image of its sidecars', () => {
  const [first, later] = [0, 1].map((revision) =>
    makeTemplate(aScenario(), workloadAt(revision)).shape.containers.map(({ image }) => image),
  )
  expect(first?.every((image) => image !== undefined)).toBe(true)
  expect([later?.[0] === first?.[0], later?.[1] === first?.[1]]).toEqual([false, true])
})

function workloadAt(revision: number): Parameters<typeof makeTemplate>[1] {
  const { workloads } = openState(aScenario({ workloads: [aWorkload({ containers: [proxyLess, proxy()] })] }), START)
  const [workload] = workloads
  return workload ? { ...workload, revision } : expect.fail('no workload')
}

const proxyLess = { name: 'app', uses: { cpuMillicores: 100, memoryMib: 64 } }
