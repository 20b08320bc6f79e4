import { expect, test } from 'vitest'
import { around, aSnapshot, type Seen } from '../../test/a-snapshot.ts'
import { agent } from '../../test/small-world.ts'
import { factsOf } from './facts-of.ts'
import { packSnapshot } from './pack-snapshot.ts'
import { withRoom } from './with-room.ts'

const gib = 1024 * 1024
const taints = [{ key: 'dedicated', value: 'batch', effect: 'NoSchedule' as const }]
const tolerations = [{ key: 'dedicated', operator: 'Exists' as const }]

/** Nodes of 3.8 cores; `web` asks for one of them on the first, and the second admits only who tolerates its taint. */
const seen = (more: Partial<Seen> = {}): Seen => ({
  nodes: [{ name: 'a' }, { name: 'b', facts: { taints } }],
  pods: [{ name: 'web-1', node: 0 }],
  ...more,
})

function roomIn(of: Seen) {
  const state = aSnapshot(of)
  const given = around(state)
  const packed = packSnapshot(state, given)
  const facts = factsOf(state, given, packed)
  const [workload] = withRoom(facts, packed).workloads
  return workload?.room
}

test('nodes whose taints keep the pods away are no room for them', () => {
  expect(roomIn(seen())).toEqual({ cpuMillicoresMax: 3800, memoryKibMax: 15 * gib, cpuMillicoresFree: 2800 })
})

test('nodes that the pods tolerate are', () => {
  const pods = [{ name: 'web-1', node: 0, scheduling: { tolerations } }]
  expect(roomIn(seen({ pods }))).toEqual({ cpuMillicoresMax: 3800, memoryKibMax: 15 * gib, cpuMillicoresFree: 6600 })
})

test('nobody knows it where the agent tells no demands of pods', () => {
  expect(roomIn(seen({ agent }))).toBeNull()
})
