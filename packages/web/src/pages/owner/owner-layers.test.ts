import type { Allocation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { ownerLayers } from './owner-layers.ts'

const none = { storage: 0, load_balancer: 0, overhead: 0, shared_overhead: 0, shared_namespaces: 0 }
const nothing = { workload: 0, workload_idle: 0, cluster_idle: 0, unmeasured: 0, ...none }
const step = {
  ...{ from: '2026-11-17T00:00:00Z', to: '2026-11-18T00:00:00Z', has_data: true },
  rows: [{ names: {}, cost: { ...nothing, workload: 30.15, unmeasured: 20.48, workload_idle: 1.83, storage: 4 } }],
  rest: { rows: 0, cost: nothing },
} as unknown as Allocation['steps'][number]

test('cost without usage data is a class of its own, and the classes add up to the cost', () => {
  const { layers } = ownerLayers([step], 'day')
  const shown = Object.fromEntries(layers.map(({ name, values }) => [name, values[0]]))
  expect(shown['Not measured']).toBe(20.48)
  expect(shown.Used).toBeCloseTo(9.67)
  const sum = layers.reduce((all, { values }) => all + (values[0] ?? 0), 0)
  expect(sum).toBeCloseTo(30.15 + 1.83 + 4)
})
