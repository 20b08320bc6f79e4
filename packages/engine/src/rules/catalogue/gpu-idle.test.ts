import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someCpu, someFacts } from '../builders.ts'
import type { UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'
import { gpuIdle } from './gpu-idle.ts'
import { workloadAbandoned } from './workload-abandoned.ts'

type Case = { usage?: Partial<UsageFacts>; workload?: Partial<WorkloadFacts> }

/** A notebook with a GPU of $1,500 a month that has used 3 millicores for two weeks. */
const facts = ({ usage = {}, workload = {} }: Case = {}) => {
  const own = aContainer({ usage: aUsage({ cpu: someCpu([3]), ...usage }), decision: aSize(10, 600 * 1024) })
  const notebook = { kind: 'StatefulSet', name: 'notebook', replicas: 1, containers: [own] }
  return someFacts({ workloads: [aWorkload({ ...notebook, gpu: { count: 1, usdPerMonth: 1500 }, ...workload })] })
}

test('a GPU without a feeding process for two weeks is to be released, with all requests of its pod', () => {
  const { findings } = evaluateRule(gpuIdle, facts())
  expect(findings).toMatchObject([
    {
      category: 'gpu',
      title: 'Release 1 GPU of notebook: no CPU activity in 14 days',
      change: { action: 'investigate', summary: expect.stringContaining('to release 1 GPU') as string },
      removesPods: 1,
    },
  ])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(1500 + 20 + 1024 * 1024 * 0.000004, 6)
  expect(findings[0]?.checks).toContainEqual({
    check: 'GPU utilization',
    found: 'not reported',
    passed: null,
  })
})

test('it replaces recommendations for the requests of the same pods and for idle workloads', () => {
  expect(evaluateRule(containerOverprovisioned, facts())).toMatchObject({ findings: [], reasons: ['idle_workload'] })
  const deployment = facts({ workload: { kind: 'Deployment' } })
  expect(evaluateRule(workloadAbandoned, deployment).findings).toEqual([])
  expect(evaluateRule(gpuIdle, deployment).findings).toHaveLength(1)
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    { name: 'without a GPU', workload: { gpu: null } },
    { name: 'for one busy minute in two weeks', usage: { cpu: someCpu([3, 25]) } },
    { name: 'with ten days of history', usage: { historyDays: 10 } },
    { name: 'with gaps', usage: { coverage: 0.85 } },
    { name: 'for jobs', workload: { kind: 'Job' } },
    { name: 'for DaemonSets', workload: { kind: 'DaemonSet' } },
    { name: 'for a standby', workload: { annotations: { 'plimsoll.dev/standby': 'true' } } },
  ])('$name', (each) => {
    expect(evaluateRule(gpuIdle, facts(each))).toMatchObject({ findings: [], withheld: [] })
  })
})

test('without a price for the GPU it is withheld', () => {
  expect(evaluateRule(gpuIdle, facts({ workload: { gpu: { count: 1, usdPerMonth: null } } })).reasons).toEqual([
    'no_price',
  ])
})

test('the line of the GPU names the source of its price like other lines', () => {
  const row = { rateId: '1', nodeClass: 'a2', nodeUsdPerHour: 3, cpuUsdPerCoreMonth: 20, memoryUsdPerGibMonth: 4, gpuUsdPerGpuMonth: 500, estimated: true, source: 'book', asOf: '2026-08-03' } // prettier-ignore
  const [workload] = facts().workloads
  const price = workload?.price ? { ...workload.price, rows: [row] } : null
  const { findings } = evaluateRule(gpuIdle, { ...facts(), workloads: workload ? [{ ...workload, price }] : [] })
  const lines = findings[0]?.evidence.savingLines ?? []
  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line.price).toMatchObject({ source: 'book', asOf: '2026-08-03', isEstimated: true })
})
