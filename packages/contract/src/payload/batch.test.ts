import fc from 'fast-check'
import { expect, test } from 'vitest'
import { balancer, namespace, node, object, pod, volume } from '../../test/any-versions.ts'
import { BatchReader } from './batch-reader.ts'
import { BatchWriter } from './batch-writer.ts'
import { parseBatch } from './parse-batch.ts'
import type { ContainerEvent, ContainerSample, PodVersion } from './versions.ts'

const agent = { version: '1.0.0', kubernetes_version: '1.33', usage_source: 'kubelet' as const }

test('records are the same after writing, JSON and reading', () => {
  fc.assert(
    fc.property(
      fc.record({
        namespaces: fc.array(namespace),
        nodes: fc.array(node),
        pods: fc.array(pod),
        volumes: fc.array(volume),
        balancers: fc.array(balancer),
      }),
      ({ namespaces, nodes, pods, volumes, balancers }) => {
        const writer = new BatchWriter()
        namespaces.forEach((each) => writer.addNamespace(each))
        nodes.forEach((each) => writer.addNode(each))
        pods.forEach((each) => writer.addPod(each))
        volumes.forEach((each) => writer.addVolume(each))
        balancers.forEach((each) => writer.addBalancer(each))
        const reader = new BatchReader(batchOf(JSON.stringify(writer.finish(agent, 1))))
        expect(reader.namespaces()).toEqual(namespaces)
        expect(reader.nodes()).toEqual(nodes)
        expect(reader.pods()).toEqual(pods)
        expect(reader.volumes()).toEqual(volumes)
        expect(reader.balancers()).toEqual(balancers)
        expect(reader.rejectedRecords).toBe(0)
      },
    ),
  )
})

test('objects without a cost are the same after writing and reading', () => {
  fc.assert(
    fc.property(fc.array(object), (objects) => {
      const writer = new BatchWriter()
      objects.forEach((each) => writer.addObject(each))
      const reader = new BatchReader(batchOf(JSON.stringify(writer.finish(agent, 1))))
      expect(reader.objects()).toEqual(objects)
      expect(reader.rejectedRecords).toBe(0)
    }),
  )
})

test('an object with the content of another kind is skipped, and unknown fields are ignored', () => {
  const writer = new BatchWriter()
  const disruptionBudget = { uid: 'b', from: 1, name: 'web', namespace: 'shop', kind: 'budget' as const }
  writer.addObject({ ...disruptionBudget, ref: 1, spec: { selector: {}, disruptions_allowed: 1 } })
  writer.addObject({ ...disruptionBudget, ref: 2, uid: 'c', spec: { selector: {}, disruptions_allowed: 2 } })
  const batch = writer.finish(agent, 1)
  const specs = [
    { selector: {}, disruptions_allowed: -1 },
    { selector: {}, disruptions_allowed: 2, later: true },
  ]
  const reader = new BatchReader(batchOf(JSON.stringify({ ...batch, specs })))
  expect(reader.objects()).toMatchObject([{ uid: 'c', spec: { disruptions_allowed: 2 } }])
  expect(reader.rejections).toMatchObject([{ table: 'objects', index: 0 }])
})

test('a batch of an agent without taints and objects is readable', () => {
  const writer = new BatchWriter()
  const [known] = fc.sample(node, { numRuns: 1, seed: 1 })
  if (!known) throw new Error('no node was drawn')
  writer.addNode(known)
  const { taint_sets: _t, specs: _c, objects: _o, ...older } = writer.finish(agent, 1)
  const { taint_set: _s, ephemeral_allocatable: _e, scale_down_disabled: _d, ...others } = older.nodes
  const { extended_set: _x, attach_limit_set: _a, ...nodes } = others
  const reader = new BatchReader(batchOf(JSON.stringify({ ...older, nodes })))
  const { taints: _1, ephemeralAllocatableKib: _2, scaleDownDisabled: _3, ...rest } = known
  const { extendedAllocatable: _4, attachLimits: _5, ...expected } = rest
  expect(reader.nodes()).toEqual([expected])
  expect(reader.objects()).toEqual([])
})

test('invalid scheduling constraints are dropped, and their pod is read', () => {
  const writer = new BatchWriter()
  const shape = { containers: [], scheduling: { spread: [{ topology_key: 'zone', max_skew: 0 }] } }
  writer.addPod(aPod({ shape }))
  const reader = new BatchReader(batchOf(JSON.stringify(writer.finish(agent, 1))))
  expect(reader.pods()).toMatchObject([{ uid: 'uid-1', shape: { containers: [] } }])
  expect(reader.rejections).toEqual([{ table: 'shapes', index: 0, reason: 'the scheduling does not match the schema' }])
})

test('optional columns of unequal length make a batch unreadable too', () => {
  const uneven = fullBatch()
  const nodes = { ...uneven.nodes, taint_set: [1] }
  expect(parseBatch(JSON.stringify({ ...uneven, nodes }))).toMatchObject({
    reason: expect.stringMatching(/^nodes: taint_set/) as string,
  })
})

test('a text, a label set and a shape are stored once, however many pods share them', () => {
  const writer = new BatchWriter()
  for (let ref = 1; ref <= 100; ref += 1) writer.addPod(aPod({ ref, uid: `uid-${ref}` }))
  const batch = writer.finish(agent, 1)
  expect(batch.shapes).toHaveLength(1)
  expect(batch.label_sets).toHaveLength(1)
  expect(batch.strings.filter((text) => text === 'shop')).toHaveLength(1)
})

test('a batch of an older agent has neither namespaces nor disk types', () => {
  const { namespaces: _later, ...batch } = fullBatch()
  const { disk_type_string: _1, reclaim_policy_string: _2, used_kib: _3, ...volumes } = batch.volumes
  const reader = new BatchReader(batchOf(JSON.stringify({ ...batch, volumes })))
  expect(reader.namespaces()).toEqual([])
  expect(reader.pods()).toHaveLength(1)
})

test('an invalid record is counted and skipped, and the others are read', () => {
  const writer = new BatchWriter()
  for (const ref of [1, 2, 3]) writer.addPod(aPod({ ref, uid: `uid-${ref}` }))
  const batch = writer.finish(agent, 1)
  batch.pods.from[1] = -5
  const reader = new BatchReader(batch)
  expect(reader.pods().map(({ ref }) => ref)).toEqual([1, 3])
  expect(reader.rejections).toEqual([{ table: 'pods', index: 1, reason: '-5 is not a whole number' }])
})

const happened = { podRef: 1, container: 0, at: 1, oomKills: 0, restarts: 1 }

test('events are the same after writing and reading, including events without throttling', () => {
  const throttling = { periods: 6000, throttledPeriods: 1500 }
  const events = [happened, { ...happened, at: 2, throttling }, { ...happened, at: 3 }]
  expect(eventsOf(events)).toEqual({ events, rejections: [] })
})

test('a batch of an older agent has no throttling', () => {
  const writer = new BatchWriter()
  writer.addEvent({ ...happened, throttling: { periods: 10, throttledPeriods: 5 } })
  const batch = writer.finish(agent, 1)
  const { cpu_periods: _1, throttled_periods: _2, ...events } = batch.events
  expect(new BatchReader(batchOf(JSON.stringify({ ...batch, events }))).events()).toEqual([happened])
})

test.each([
  {
    name: 'more throttled periods than periods',
    periods: 10,
    throttledPeriods: 11,
    reason: /exceed all periods/,
  },
  { name: 'of a negative number', periods: -1, throttledPeriods: 0, reason: /not a whole number/ },
  { name: 'half a period', periods: 10, throttledPeriods: 0.5, reason: /not a whole number/ },
  {
    name: 'of more periods than fit into a day',
    periods: 86_400_001,
    throttledPeriods: 0,
    reason: /exceeds the maximum/,
  },
])('throttling $name is dropped, and its event is read', ({ periods, throttledPeriods, reason }) => {
  expect(eventsOf([{ ...happened, throttling: { periods, throttledPeriods } }, happened])).toEqual({
    events: [happened],
    rejections: [{ table: 'events', index: 0, reason: expect.stringMatching(reason) as string }],
  })
})

function eventsOf(events: readonly ContainerEvent[]) {
  const writer = new BatchWriter()
  events.forEach((event) => writer.addEvent(event))
  const reader = new BatchReader(batchOf(JSON.stringify(writer.finish(agent, 1))))
  return { events: reader.events(), rejections: reader.rejections }
}

test.each([
  ['{', 'the body is not JSON'],
  ['[]', 'the body is not an object'],
  ['{}', 'agent does not match the schema'],
])('%s is unreadable: %s', (text, reason) => {
  expect(parseBatch(text)).toEqual({ kind: 'unreadable', reason })
})

test('columns of unequal length and runs that do not fit make a batch unreadable', () => {
  const uneven = fullBatch()
  uneven.pods.phase.push(1)
  expect(parseBatch(JSON.stringify(uneven))).toMatchObject({
    kind: 'unreadable',
    reason: expect.stringMatching(/^pods: phase/) as string,
  })
  const short = fullBatch()
  short.minutes.cpu_mean.pop()
  expect(parseBatch(JSON.stringify(short))).toMatchObject({
    kind: 'unreadable',
    reason: expect.stringMatching(/^minutes: cpu_mean/) as string,
  })
})

test('an unstorable character in the agent facts is replaced, and the rest is read', () => {
  const condition = { kind: 'usage', status: 'failing' as const, reason: 'unreadable' }
  const conditions = [{ ...condition, message: 'it sent \0 and \ud800, é' }]
  const batch = batchOf(JSON.stringify({ ...fullBatch(), agent: { ...agent, conditions } }))
  expect(batch.agent.conditions).toEqual([{ ...condition, message: 'it sent \ufffd and \ufffd, é' }])
  const version = { ...fullBatch(), agent: { ...agent, version: '\0' } }
  expect(parseBatch(JSON.stringify(version))).toMatchObject({ kind: 'unreadable' })
})

test('the parser throws for no text', () => {
  const base = fullBatch()
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(base)), fc.jsonValue(), (key, value) => {
      const parsed = parseBatch(JSON.stringify({ ...base, [key]: value }))
      if (parsed.kind === 'unreadable') return
      const reader = new BatchReader(parsed.batch)
      const reads = ['namespaces', 'nodes', 'pods', 'volumes', 'balancers', 'objects', 'ends', 'events'] as const
      for (const read of reads) reader[read]()
    }),
  )
})

function batchOf(text: string) {
  const parsed = parseBatch(text)
  if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
  return parsed.batch
}

function fullBatch() {
  const writer = new BatchWriter()
  writer.addPod(aPod({}))
  const sample: ContainerSample = {
    podRef: 1,
    container: 0,
    cpuMeanTenths: 5,
    cpuAboveTenths: 1,
    memoryMeanKib: 9,
    memoryAboveKib: 0,
  }
  writer.addMinute(7, 100, [sample, sample])
  return writer.finish(agent, 1)
}

function aPod(overrides: Partial<PodVersion>): PodVersion {
  return {
    ref: 1,
    uid: 'uid-1',
    from: 10,
    name: 'web-1',
    namespace: 'shop',
    nodeRef: 7,
    boundAt: 10,
    phase: 'running',
    shape: { containers: [{ name: 'web', kind: 'app', cpu_request: 100 }] },
    workloadKind: 'Deployment',
    workloadName: 'web',
    labels: { app: 'web' },
    ...overrides,
  }
}
