import { expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import { containerOverprovisioned } from '../catalogue/container-overprovisioned.ts'
import { floorsOf, floorWords } from './floors.ts'
import { DEFAULT_POLICY } from '../facts/policy.ts'

const mib = 1024
const limits = {
  cpuMillicoresMin: 50,
  memoryKibMin: 64 * mib,
  quotaCpuMillicoresLeft: null,
  quotaMemoryKibLeft: null,
}

test('the policy sets the floors by default', () => {
  const workload = aWorkload()
  expect(floorsOf(workload, DEFAULT_POLICY)).toEqual({ cpuMillicores: 10, memoryKib: 20 * mib })
  expect(floorWords(workload, DEFAULT_POLICY)).toEqual({ cpu: '10m (policy)', memory: '20 MiB (policy)' })
})

test('a floor names its source and the floor of the policy', () => {
  const workload = aWorkload({ namespace: 'staging', limits, annotations: { 'plimsoll.dev/min-memory': '256Mi' } })
  expect(floorsOf(workload, DEFAULT_POLICY)).toEqual({ cpuMillicores: 50, memoryKib: 256 * mib })
  expect(floorWords(workload, DEFAULT_POLICY)).toEqual({
    cpu: '50m (LimitRange of namespace staging; policy: 10m)',
    memory: '256 MiB (annotation on the workload; policy: 20 MiB)',
  })
})

test('evidence shows the floors, and offers no request below them', () => {
  const container = aContainer({ usage: aUsage(), decision: aSize(20, 30 * mib) })
  const workload = aWorkload({ namespace: 'staging', limits, containers: [container] })
  const [finding] = evaluateRule(containerOverprovisioned, someFacts({ workloads: [workload] })).findings
  const { facts, candidates } = finding?.evidence ?? { facts: {}, candidates: [] }
  expect(facts).toMatchObject({ cpu_floor: '50m (LimitRange of namespace staging; policy: 10m)' })
  expect(candidates.length).toBeGreaterThan(10)
  expect(Math.min(...candidates.map(({ spec }) => spec.cpuMillicores ?? 0))).toBeGreaterThanOrEqual(50)
  expect(Math.min(...candidates.map(({ spec }) => spec.memoryKib ?? 0))).toBeGreaterThanOrEqual(64 * mib)
  const check = finding?.checks.find(({ check: text }) => text.startsWith('Not below the minimum'))
  expect(check?.found).toContain('50m (LimitRange of namespace staging')
})
