import { decodeBatch, digestOf, type EncodedBatch, type Living } from '@plimsoll/agent'
import { BatchHeaders, batchLimits } from '@plimsoll/contract'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aScenario, aWorkload, batchesOf, START } from '../../test/a-scenario.ts'
import { factSet } from '../../test/fact-set.ts'
import { awsProduction, fullSize, gcpPlatform, largeScenario, openWorld } from '../index.ts'
import { rounds } from '../../../../test/rounds.ts'
import { Inventory } from './inventory.ts'
import { SimulatedAgent } from './simulated-agent.ts'

const large = largeScenario({ ...fullSize, nodes: 20, workloads: 120, churnPerHour: 1 })

/** Objects by uid, because refs differ between epochs. */
function contents({ nodes, pods, volumes, balancers }: Living): unknown[] {
  const uids = new Map([...nodes, ...pods].map(({ ref, uid }) => [ref, uid]))
  const named = (refs: readonly number[]) => refs.map((ref) => uids.get(ref)).sort()
  return [
    ...nodes.map(({ ref: _ref, ...node }) => node),
    ...pods.map(({ ref: _ref, nodeRef, ...pod }) => ({ ...pod, node: uids.get(nodeRef) })),
    ...volumes.map(({ ref: _ref, mountedPodRefs, ...volume }) => ({ ...volume, by: named(mountedPodRefs) })),
    ...balancers.map(({ ref: _ref, readyPodRefs, ...balancer }) => ({ ...balancer, by: named(readyPodRefs) })),
  ].sort((a, b) => (a.uid < b.uid ? -1 : 1))
}

function read(batches: readonly EncodedBatch[], inventory = new Inventory()): Inventory {
  for (const encoded of batches) {
    const { batch, reader } = decodeBatch(encoded)
    inventory.apply(batch, reader)
    expect(reader.rejectedRecords).toBe(0)
  }
  return inventory
}

test('the same scenario and start time give the same bytes', () => {
  expect(batchesOf(gcpPlatform, 65)).toEqual(batchesOf(gcpPlatform, 65))
})

test('another seed gives another cluster', () => {
  const [one, other] = [batchesOf(aScenario(), 1), batchesOf(aScenario({ seed: 8 }), 1)]
  expect(one[0]?.headers['plimsoll-epoch']).not.toBe(other[0]?.headers['plimsoll-epoch'])
  expect(factSet(one)).not.toEqual(factSet(other))
})

test.each([awsProduction, gcpPlatform, large])(
  '$name: a snapshot lists exactly the objects that exist at its time',
  (scenario) => {
    const world = openWorld(scenario, START)
    const agent = new SimulatedAgent(world, { objectsMax: 50 })
    for (let minute = 0; minute < rounds({ short: 4, full: 10 }); minute += 1) {
      const living = contents(world.living())
      const snapshot = agent.snapshot()
      expect(contents(read(snapshot).living())).toEqual(living)
      for (const encoded of snapshot) expect(decodeBatch(encoded).batch.snapshot?.observed_at).toBe(world.second)
      agent.minute()
    }
  },
)

test.each([awsProduction, gcpPlatform, large])('$name: changes applied to a snapshot give the next one', (scenario) => {
  const agent = new SimulatedAgent(openWorld(scenario, START))
  const inventory = read(agent.minute())
  for (let minute = 1; minute < 60; minute += 1) {
    const batches = agent.minute()
    expect(batches).toHaveLength(1)
    read(batches, inventory)
  }
  const known = contents(inventory.living())
  const [snapshot] = agent.minute()
  expect(contents(read(snapshot ? [snapshot] : []).living())).toEqual(known)
})

test('the envelope satisfies the contract, and the sequence has no gaps', () => {
  const batches = batchesOf(large, 62, { objectsMax: 300 })
  batches.forEach(({ headers, body }, index) => {
    for (const [name, value] of Object.entries(headers)) {
      const { pattern } = BatchHeaders.properties[name as keyof BatchHeaders] as { pattern?: string }
      if (pattern !== undefined) expect(value).toMatch(new RegExp(pattern))
    }
    expect(headers['plimsoll-seq']).toBe(String(index + 1))
    expect(headers['content-digest']).toBe(digestOf(body))
    expect(body.length).toBeLessThan(batchLimits.encodedBytesMax)
    expect(gunzipSync(body).length).toBeLessThan(batchLimits.ratioMax * body.length)
  })
  expect(new Set(batches.map(({ headers }) => headers['plimsoll-batch-id'])).size).toBe(batches.length)
  // 20 nodes and 600 pods: three parts at the start and three after an hour, and 62 minutes.
  const parts = batches.flatMap(({ headers }) => headers['plimsoll-part'] ?? [])
  expect(parts).toEqual(['1/3', '2/3', '3/3', '1/3', '2/3', '3/3'])
  expect(batches).toHaveLength(6 + 62)
})

test('a ref belongs to one object of an epoch, and a new epoch has new refs', () => {
  const agent = new SimulatedAgent(openWorld(large, START))
  const epochs = [0, 1].map(() => {
    const uids = new Map<number, string>()
    for (const encoded of Array.from({ length: 20 }, () => agent.minute()).flat()) {
      const { reader } = decodeBatch(encoded)
      for (const { ref, uid } of [...reader.nodes(), ...reader.pods()]) {
        expect(uids.get(ref) ?? uid).toBe(uid)
        uids.set(ref, uid)
      }
    }
    agent.startEpoch()
    return uids
  })
  const [first, second] = epochs.map((uids) => new Map([...uids].map(([ref, uid]) => [uid, ref])))
  const both = [...(first ?? [])].filter(([uid]) => second?.has(uid))
  expect(both.length).toBeGreaterThan(500)
  expect(both.some(([uid, ref]) => second?.get(uid) === ref)).toBe(false)
})

test('a minute that is too large becomes several batches, and no node-minute is split', () => {
  const whole = batchesOf(large, 3)
  const cut = batchesOf(large, 3, { samplesMax: 100 })
  expect(cut.length).toBeGreaterThan(whole.length + 10)
  expect(factSet(cut)).toEqual(factSet(whole))
})

test('a batch rejected as too large is sent again in smaller batches with the same numbers', () => {
  const agent = new SimulatedAgent(openWorld(large, START), { objectsMax: 400, samplesMax: 500 })
  const batches = agent.minute()
  const refused = batches[1]
  if (!refused) throw new Error('there are two parts')
  const smaller = agent.halved(refused)
  expect(smaller[0]?.headers['plimsoll-seq']).toBe(refused.headers['plimsoll-seq'])
  expect(smaller.length).toBeGreaterThan(batches.length)
  expect(factSet(smaller)).toEqual(factSet(batches))
})

test('a workload without requests has none on the wire', () => {
  const containers = [{ name: 'app', uses: { cpuMillicores: 10, memoryMib: 10 } }]
  const [snapshot] = batchesOf(aScenario({ workloads: [aWorkload({ containers })] }), 1)
  if (!snapshot) throw new Error('there is a snapshot')
  expect(decodeBatch(snapshot).batch.shapes).toMatchObject([{ containers: [{ name: 'app', kind: 'app' }] }])
})
