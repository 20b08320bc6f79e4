import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { ClusterFacts, ContainerFacts, FactName, CapacityFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { cpuLimitThrottling } from './cpu-limit-throttling.ts'

const GIB = 1024 * 1024

const aCapacity = (over: Partial<CapacityFacts> = {}): CapacityFacts => ({
  cpuMillicoresMax: 16_000,
  memoryKibMax: 64 * GIB,
  cpuMillicoresFree: 8000,
  ...over,
})

type Case = {
  container?: Partial<ContainerFacts>
  workload?: Partial<WorkloadFacts>
  facts?: Partial<ClusterFacts>
}

/** Two pods with a limit of one core, throttled in 30 % of a million periods; 8 cores are free on their nodes. */
function evaluate({ container, workload, facts }: Case = {}) {
  const throttled = aContainer({
    cpuRequestMillicores: 500,
    cpuLimitMillicores: 1000,
    usage: aUsage(),
    decision: aSize(500, GIB),
    throttling: { periods: 1_000_000, throttledPeriods: 300_000 },
    ...container,
  })
  const workloads = [aWorkload({ containers: [throttled], admittingCapacity: aCapacity(), ...workload })]
  return evaluateRule(cpuLimitThrottling, someFacts({ workloads, ...facts }))
}

test('the limit is doubled, nothing else changes, and it costs nothing', () => {
  expect(evaluate().findings).toMatchObject([
    {
      title: 'Raise CPU limit of web/app from 1 core to 2 cores',
      change: { action: 'set_limits', fields: [{ path: 'resources.limits.cpu', from: '1', to: '2' }] },
      currentSpec: { cpuMillicores: 500, memoryKib: GIB },
      recommendedSpec: { cpuMillicores: 500, memoryKib: GIB },
      estimatedUsdPerMonth: 0,
      evidence: { facts: { throttled_percent: 30, cpu_periods: 1_000_000, cpu_limit_millicores: 1000 } },
    },
  ])
})

test('Guaranteed pods stay Guaranteed: their CPU request follows, which costs', () => {
  const [finding] = evaluate({ container: { cpuRequestMillicores: 1000, memoryLimitKib: GIB } }).findings
  expect(finding?.change.fields.map(({ path, to }) => [path, to])).toEqual([
    ['resources.limits.cpu', '2'],
    ['resources.requests.cpu', '2'],
  ])
  expect(finding?.recommendedSpec).toEqual({ cpuMillicores: 2000, memoryKib: GIB })
  // Two pods with a core more each, at $20.
  expect(finding?.estimatedUsdPerMonth).toBeCloseTo(-40, 5)
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    {
      name: 'if throttled in a quarter of the periods',
      container: { throttling: { periods: 1_000_000, throttledPeriods: 250_000 } },
    },
    { name: 'without throttling data', container: { throttling: null } },
    {
      name: 'with less than an hour of usage',
      container: { throttling: { periods: 35_999, throttledPeriods: 35_999 } },
    },
    { name: 'without a limit', container: { cpuLimitMillicores: null } },
    { name: 'for init containers', container: { kind: 'init' } },
    { name: 'for jobs', workload: { kind: 'CronJob' } },
    { name: 'if another controller manages the requests', container: { managedBy: 'vpa web' } },
    { name: 'in a crash loop', container: { usage: aUsage({ restarts: 1000 }) } },
  ])('$name', (each) => {
    expect(evaluate(each)).toMatchObject({ findings: [], withheld: [] })
  })
})

describe('it is withheld without capacity', () => {
  test.each<Case & { name: string }>([
    {
      name: 'on any node that admits its pods, even if other nodes are larger',
      workload: { admittingCapacity: aCapacity({ cpuMillicoresMax: 1999 }) },
      facts: { largestNode: { cpuMillicores: 64_000, memoryKib: 64 * GIB } },
    },
    {
      name: 'on any node, if the admitting nodes are unknown',
      workload: { admittingCapacity: null },
      facts: { largestNode: { cpuMillicores: 1999, memoryKib: 64 * GIB } },
    },
    {
      name: 'because other pods request all CPU there',
      workload: { admittingCapacity: aCapacity({ cpuMillicoresFree: 1999 }) },
    },
  ])('$name', (each) => {
    expect(evaluate(each)).toMatchObject({ findings: [], reasons: ['no_room'] })
  })

  test('and found with just enough capacity', () => {
    const admittingCapacity = aCapacity({ cpuMillicoresMax: 2000, cpuMillicoresFree: 2000 })
    expect(evaluate({ workload: { admittingCapacity } }).findings).toHaveLength(1)
  })
})

test('if the free CPU is unknown, the finding says that it was not checked', () => {
  const [finding] = evaluate({ workload: { admittingCapacity: null } }).findings
  expect(finding?.checks.filter(({ passed }) => passed === null)).toMatchObject([
    { check: 'Unallocated CPU of the eligible nodes', found: expect.stringMatching(/^unknown; /) as string },
  ])
})

test('without throttling data the whole rule is withheld', () => {
  const known = new Set<FactName>(['pods', 'rightsizing', 'nodes'])
  expect(evaluate({ facts: { known } }).reasons).toEqual(['no_source'])
})
