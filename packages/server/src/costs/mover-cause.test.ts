import { expect, test } from 'vitest'
import { idleCause, moverCause } from './mover-cause.ts'

const as = { pods: 6, cpuMillicores: 500, memoryMib: 512, inTheEnd: null }

test.each([
  ['New since last week', { ...as, pods: 0 }, as],
  ['Removed since last week', as, { ...as, pods: 0 }],
  ['Mean replicas 6 → 10', as, { ...as, pods: 10 }],
  ['Mean replicas 6 → 10', as, { ...as, pods: 10, cpuMillicores: 900, memoryMib: 900 }],
  ['Pods ran for more hours', { ...as, pods: 0.41 }, { ...as, pods: 0.44 }],
  ['CPU request per pod 500m → 1.5 cores', as, { ...as, cpuMillicores: 1500 }],
  ['Memory request per pod 512 MiB → 2 GiB', as, { ...as, memoryMib: 2048 }],
])('%s', (cause, before, now) => expect(moverCause(before, now)).toBe(cause))

test('requests are those of the last hour, as in manifests, not the mean of a rollout', () => {
  const rolledOut = { ...as, cpuMillicores: 319, inTheEnd: { cpuMillicores: 315, memoryMib: 512 } }
  const steady = { ...as, cpuMillicores: 625, inTheEnd: { cpuMillicores: 625, memoryMib: 512 } }
  expect(moverCause(rolledOut, steady)).toBe('CPU request per pod 315m → 625m')
  expect(moverCause({ ...rolledOut, cpuMillicores: 500 }, rolledOut)).toBe('CPU request per pod 500m → 319m')
})

test('an additional pod for a minute is not a cause', () => {
  expect(moverCause(as, { ...as, pods: 6.01 })).toContain('Usage above requests')
})

test('unallocated capacity grows with nodes, or with fewer workloads', () => {
  expect(idleCause(15, 17)).toBe('Nodes 15 → 17')
  expect(idleCause(15, 15)).toContain('same number of nodes')
})
