import { expect, test } from 'vitest'
import { around, aSnapshot, type Seen } from '../../test/a-snapshot.ts'
import { agent } from '../../test/small-world.ts'
import { factsOf } from './facts-of.ts'
import { packSnapshot } from './pack-snapshot.ts'
import { withCapacity } from './with-capacity.ts'

const gib = 1024 * 1024
const taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' as const }]
const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }]

/** Nodes of 3.8 cores. `web` requests one core on the first node. The second node has a taint. */
const seen = (more: Partial<Seen> = {}): Seen => ({
  nodes: [{ name: 'a' }, { name: 'b', facts: { taints } }],
  pods: [{ name: 'web-1', node: 0 }],
  ...more,
})

function capacityIn(of: Seen) {
  const state = aSnapshot(of)
  const given = around(state)
  const packed = packSnapshot(state, given)
  const facts = factsOf(state, given, packed)
  const [workload] = withCapacity(facts, packed).workloads
  return workload?.admittingCapacity
}

test('nodes with a taint that the pods do not tolerate do not count as capacity', () => {
  expect(capacityIn(seen())).toEqual({ cpuMillicoresMax: 3800, memoryKibMax: 15 * gib, cpuMillicoresFree: 2800 })
})

test('nodes with a taint that the pods tolerate count', () => {
  const pods = [{ name: 'web-1', node: 0, scheduling: { tolerations } }]
  expect(capacityIn(seen({ pods }))).toEqual({
    cpuMillicoresMax: 3800,
    memoryKibMax: 15 * gib,
    cpuMillicoresFree: 6600,
  })
})

test('the capacity is unknown if the agent sends no placement constraints', () => {
  expect(capacityIn(seen({ agent }))).toBeNull()
})
