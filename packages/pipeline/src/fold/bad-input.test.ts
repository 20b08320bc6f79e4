import type { Batch } from '@plimsoll/contract'
import { RESOURCES } from '@plimsoll/engine'
import { describe, expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
import { twoNodes, twoNodesWithCloudResources } from '../../test/two-nodes.ts'
import { batchesOf, endSecond, startSecond, type SmallWorld } from '../../test/small-world.ts'
import { capHour, caps } from './cap-hour.ts'
import { emptyFoldState } from './fold-state.ts'
import { Fold } from './fold.ts'
import type { FoldedHour } from './finalise-hours.ts'

function run(batches: Batch[]) {
  const fold = new Fold(emptyFoldState(aNodeClass))
  const answers = batches.map((batch) => fold.addBatch('a', batch))
  return { answers, hours: fold.takeEndedHours(endSecond) }
}

/** The world in batches, with one batch changed. */
function spoil(world: SmallWorld, index: number, change: (batch: Batch) => void): Batch[] {
  const batches = batchesOf(world)
  const batch = batches[index]
  if (!batch) throw new Error('there is no such batch')
  change(batch)
  return batches
}

/** The cost of all nodes: equal costs prove that the other nodes are unaffected. */
const capacityOf = (hours: FoldedHour[]) =>
  hours
    .flatMap(({ measured, bridged }) => [...measured.nodes, ...bridged.nodes])
    .reduce((sum, row) => sum + row.seconds, 0)

const clean = capacityOf(run(batchesOf(twoNodes)).hours)

describe('a minute that', () => {
  test.each<[string, string, (batch: Batch) => void]>([
    ['is about an unknown node', 'the node is unknown', ({ minutes }) => (minutes.node_ref[0] = 999)],
    ['holds 10^9 cores', 'a usage value is implausible', ({ minutes }) => (minutes.cpu_mean[0] = 1e13)],
    ['has negative usage', 'a usage value is implausible', ({ minutes }) => (minutes.cpu_mean[0] = -1)],
    [
      'has usage that is not a number',
      'a usage value is implausible',
      ({ minutes }) => (minutes.memory_mean[0] = Number.NaN),
    ],
    ['is in the future', 'the time is in the future', ({ minutes }) => (minutes.minute[0] = endSecond / 60 + 5)],
    ['is too old', 'older than 48 hours', ({ minutes }) => (minutes.minute[0] = startSecond / 60 - 49 * 60)],
  ])('%s is refused and bridged: %s', (_name, reason, change) => {
    const { answers, hours } = run(spoil(twoNodes, 30, change))
    expect(answers[30]).toMatchObject({ rejectedRecords: 1, rejections: [{ table: 'minutes', index: 0, reason }] })
    expect(capacityOf(hours)).toBe(clean)
  })
})

test('usage above the capacity of a node is charged up to the capacity, and idle is never negative', () => {
  const { hours } = run(spoil(twoNodes, 30, ({ minutes }) => (minutes.cpu_mean[0] = 1e8)))
  for (const { measured } of hours) {
    for (const { use } of measured.nodes) {
      for (const resource of RESOURCES) expect(use[resource].alloc).toBeLessThanOrEqual(use[resource].capacity)
    }
  }
})

describe('a record of', () => {
  test.each<[string, string, string, (batch: Batch) => void]>([
    [
      'a node of 10^9 cores',
      'nodes',
      'the capacity is larger than any machine',
      ({ nodes }) => (nodes.cpu_capacity[0] = 1e12),
    ],
    [
      'a node from the future',
      'nodes',
      'the start time is in the future',
      ({ nodes }) => (nodes.from[0] = endSecond * 2),
    ],
    [
      'a pod with implausible requests',
      'pods',
      'the requests are larger than any machine',
      ({ shapes }) => {
        const [container] = shapes[0]?.containers ?? []
        if (container) container.cpu_request = Number.MAX_SAFE_INTEGER
      },
    ],
    [
      'a volume with an implausible size',
      'volumes',
      'the size is larger than any volume',
      ({ volumes }) => (volumes.size_kib[0] = 1e15),
    ],
    [
      'a load balancer from the future',
      'balancers',
      'the start time is in the future',
      ({ balancers }) => (balancers.from[0] = endSecond * 2),
    ],
  ])('%s is refused', (_name, table, reason, change) => {
    const { answers, hours } = run(spoil(twoNodesWithCloudResources, 0, change))
    expect(answers[0]?.rejections).toContainEqual({ table, index: 0, reason })
    expect(hours).toHaveLength(2)
  })
})

/** This many workloads with this many label sets in one namespace, on one node. */
function crowd(workloads: number, labelSets: number): SmallWorld {
  const [node] = twoNodes.nodes
  const [pod] = twoNodes.pods
  if (!node || !pod) throw new Error('the world has nodes and pods')
  const pods = Array.from({ length: workloads * labelSets }, (_each, index) => ({
    ...pod,
    uid: `pod-${index % workloads}`,
    podUid: `pod-${index}`,
    node: 0,
    containers: [{ name: 'c0', millicores: 1 + (index % workloads), kib: 1024 }],
    labels: { set: String(Math.floor(index / workloads)) },
  }))
  return { nodes: [node], pods }
}

test('beyond the cap the smallest workloads of a namespace are merged, and the sums stay the same', () => {
  const [hour] = run(batchesOf(crowd(30, 1), { minutesPerBatch: 10 })).hours
  if (!hour) throw new Error('an hour was folded')
  const capped = capHour(hour, { workloads: 20, labelSets: 5 })
  expect(capped.otherWorkloads).toBe(10)
  const names = capped.measured.workloads.map(({ workloadName }) => workloadName)
  expect(names).toHaveLength(21)
  expect(names).toContain('__other__')
  expect(names).toContain('pod-29')
  const sum = (rows: FoldedHour['measured']['workloads']) => rows.reduce((total, row) => total + row.use.cpu.alloc, 0)
  expect(sum(capped.measured.workloads)).toBe(sum(hour.measured.workloads))
  expect(capHour(hour)).toEqual({ ...hour, otherWorkloads: 0 })
})

test('for any number of workloads in a namespace, an hour stores at most the cap and one row for the rest', () => {
  const [hour] = run(batchesOf(crowd(1, 1), { minutesPerBatch: 10 })).hours
  const [row] = hour?.measured.workloads ?? []
  if (!hour || !row) throw new Error('a workload was folded')
  const workloads = Array.from({ length: 50_000 }, (_each, index) => ({ ...row, workloadName: `job-${index}` }))
  const capped = capHour({ ...hour, measured: { ...hour.measured, workloads } })
  expect(capped.measured.workloads).toHaveLength(caps.workloads + 1)
  expect(capped.otherWorkloads).toBe(50_000 - caps.workloads)
  const seconds = capped.measured.workloads.reduce((sum, each) => sum + each.seconds, 0)
  expect(seconds).toBe(50_000 * row.seconds)
})

test('a workload with more label sets than the cap is stored without labels', () => {
  const [hour] = run(batchesOf(crowd(2, 6), { minutesPerBatch: 10 })).hours
  if (!hour) throw new Error('an hour was folded')
  expect(hour.measured.workloads).toHaveLength(12)
  const capped = capHour(hour, { workloads: 20, labelSets: 5 })
  expect(capped.measured.workloads.map(({ labels }) => labels)).toEqual([{}, {}])
  expect(capped.otherWorkloads).toBe(2)
})
