import { describe, expect, test } from 'vitest'
import {
  aContainer,
  aMemorySize,
  aSize,
  aUsage,
  aWorkload,
  evaluateRule,
  someCpu,
  someFacts,
  someMemory,
} from '../builders.ts'
import type { ClusterFacts, ContainerFacts, CapacityFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { containerUnderprovisioned } from './container-underprovisioned.ts'

const MIB = 1024

const aCapacity = (mib: number): CapacityFacts => ({
  cpuMillicoresMax: mib > 0 ? 2000 : 0,
  memoryKibMax: mib * MIB,
  cpuMillicoresFree: 0,
})

type Case = {
  container?: Partial<ContainerFacts>
  usage?: Partial<UsageFacts>
  workload?: Partial<WorkloadFacts>
  facts?: Partial<ClusterFacts>
}

/** Requests 100 millicores and 256 MiB with a limit of 512 MiB; uses 300 MiB and 50 millicores. */
function evaluate({ container = {}, usage = {}, workload = {}, facts = {} }: Case) {
  const own = aContainer({
    cpuRequestMillicores: 100,
    memoryRequestKib: 256 * MIB,
    memoryLimitKib: 512 * MIB,
    decision: aSize(95, 345 * MIB),
    usage: aUsage({ cpu: someCpu([50]), memory: someMemory(300 * MIB), memoryMaxKib: 300 * MIB, ...usage }),
    ...container,
  })
  return evaluateRule(
    containerUnderprovisioned,
    someFacts({ workloads: [aWorkload({ containers: [own], ...workload })], ...facts }),
  )
}

const fits: Case = { usage: { memory: someMemory(200 * MIB), memoryMaxKib: 200 * MIB } }

test('memory usage above the request raises the request, and a sufficient CPU request stays', () => {
  const { findings } = evaluate({})
  expect(findings).toMatchObject([
    {
      recommendedSpec: { cpuMillicores: 100, memoryKib: 345 * MIB },
      isUrgent: false,
      change: { fields: [{ path: 'resources.requests.memory', from: '256Mi', to: '345Mi' }] },
    },
  ])
  // 45 MiB above current usage, for two pods: the rest is already paid.
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(-2 * 45 * MIB * 0.000004, 6)
})

test('nothing is lowered where another resource rises, unless both together save', () => {
  const dear = { price: { cpuUsdPerMillicoreMonth: 0.0001, memoryUsdPerKibMonth: 0.000004, rows: [] } }
  const container = { decision: aSize(50, 345 * MIB) }
  expect(evaluate({ container, workload: dear }).findings).toMatchObject([
    { recommendedSpec: { cpuMillicores: 100, memoryKib: 345 * MIB } },
  ])
  expect(evaluate({ container }).findings).toEqual([])
})

test('after an OOM kill request and limit rise, and the finding is critical', () => {
  const decision = { ...aSize(60, 0), memory: aMemorySize({ kib: 614.4 * MIB, because: 'oom_kill' }) }
  expect(evaluate({ container: { oomKills: 2, decision }, usage: { memoryMaxKib: 512 * MIB } }).findings).toMatchObject(
    [
      {
        severity: 'critical',
        recommendedSpec: { cpuMillicores: 100, memoryKib: 615 * MIB },
        change: {
          fields: [
            { path: 'resources.requests.memory', to: '615Mi' },
            { path: 'resources.limits.memory', from: '512Mi', to: '666Mi' },
          ],
        },
      },
    ],
  )
})

test('repeated OOM kills may be a leak: more memory may not help, and the text says so', () => {
  const decision = { ...aSize(60, 0), memory: aMemorySize({ kib: 614.4 * MIB, because: 'oom_kill' }) }
  const of = (oomKills: number) =>
    evaluate({ container: { oomKills, decision }, usage: { memoryMaxKib: 512 * MIB } }).findings[0]
  expect(of(10)).toMatchObject({ isUrgent: true, risk: 'medium', confidence: 'medium' })
  expect(of(10)?.evidence.caveats[0]).toContain('Memory leak: memory grows by about')
  expect(of(10)?.riskReasons?.[0]).toContain('Memory leak')
  expect(of(9)).toMatchObject({
    risk: 'medium',
    confidence: 'high',
    riskReasons: ['Demand above the limit is unknown'],
  })
  expect(JSON.stringify(of(9)?.evidence.caveats)).not.toContain('leak')
})

test('memory near its limit raises both', () => {
  expect(evaluate({ usage: { memoryMaxKib: 480 * MIB } }).findings).toMatchObject([
    {
      isUrgent: false,
      recommendedSpec: { memoryKib: 480 * MIB },
      change: { fields: [{ to: '480Mi' }, { path: 'resources.limits.memory', to: '624Mi' }] },
      evidence: { confidenceReasons: ['Memory usage reached 480 MiB; the limit is 512 MiB.', expect.any(String)] },
    },
  ])
})

test('CPU usage above the request for more than 5 % of the time raises the request', () => {
  const busy = someCpu([...Array.from({ length: 9 }, () => 50), 150])
  expect(
    evaluate({ ...fits, container: { decision: aSize(160, 200 * MIB) }, usage: { ...fits.usage, cpu: busy } }).findings,
  ).toMatchObject([{ recommendedSpec: { cpuMillicores: 160, memoryKib: 256 * MIB } }])
})

test('a Guaranteed pod stays Guaranteed', () => {
  const container = { cpuLimitMillicores: 100, memoryRequestKib: 512 * MIB }
  expect(evaluate({ container, usage: { memoryMaxKib: 500 * MIB } }).findings).toMatchObject([
    {
      recommendedSpec: { cpuMillicores: 100, memoryKib: 650 * MIB },
      change: { fields: [{ to: '650Mi' }, { path: 'resources.limits.memory', to: '650Mi' }] },
    },
  ])
})

test('the calculation names added requests, not freed ones', () => {
  const lines = evaluate({}).findings.flatMap(({ evidence }) => evidence.savingLines)
  expect(lines.map(({ what }) => what)).toEqual([
    expect.stringMatching(/^Memory requests of \d+ pods?, added beyond their usage$/),
  ])
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    { name: 'for sufficient requests', ...fits },
    { name: 'for jobs', workload: { kind: 'Job' } },
    { name: 'for init containers', container: { kind: 'init' } },
    { name: 'if another controller manages the requests', container: { managedBy: 'an operator' } },
    { name: 'for a container without requests', container: { cpuRequestMillicores: null, memoryRequestKib: null } },
    {
      name: 'for CPU that is rarely short',
      ...fits,
      container: { decision: aSize(160, 200 * MIB) },
      usage: { ...fits.usage, cpu: someCpu([...Array.from({ length: 49 }, () => 50), 150]) },
    },
  ])('$name', (each) => {
    expect(evaluate(each)).toMatchObject({ findings: [], reasons: [] })
  })
})

describe('withheld for lack of capacity', () => {
  const quota = { cpuMillicoresMin: null, memoryKibMin: null, quotaCpuMillicoresLeft: null }
  const large = { largestNode: { cpuMillicores: 64_000, memoryKib: 64 * 1024 * MIB } }
  const small = { largestNode: { cpuMillicores: 2000, memoryKib: 300 * MIB } }
  test.each<Case & { name: string }>([
    { name: 'on any node', facts: small },
    { name: 'on the nodes that its pods may run on', workload: { admittingCapacity: aCapacity(300) }, facts: large },
    {
      name: 'on any node, if no node is known to admit its pods',
      workload: { admittingCapacity: aCapacity(0) },
      facts: small,
    },
    { name: 'in the quota', workload: { limits: { ...quota, quotaMemoryKibLeft: 100 * MIB } } },
  ])('$name', (each) => {
    expect(evaluate(each)).toMatchObject({ findings: [], reasons: ['no_room'] })
  })

  test.each<{ name: string; withMib: (mib: number) => Case; which: string; fits: string }>([
    {
      name: 'those that its pods may run on',
      withMib: (mib) => ({ workload: { admittingCapacity: aCapacity(mib) }, facts: large }),
      which: 'eligible node',
      fits: 'largest eligible node',
    },
    {
      name: 'those of the cluster, if the others are unknown',
      withMib: (mib) => ({ facts: { largestNode: { cpuMillicores: 2000, memoryKib: mib * MIB } } }),
      which: 'node of the cluster',
      fits: 'largest node of the cluster',
    },
  ])('it says which nodes are meant: $name', ({ withMib, which, fits }) => {
    const found = '2 cores of CPU and 344 MiB of memory'
    expect(evaluate(withMib(344)).withheld).toMatchObject([
      { detail: `With the larger requests, the pod fits on no ${which}. The largest offers ${found}.` },
    ])
    expect(evaluate(withMib(345)).findings[0]?.checks[0]).toMatchObject({
      check: `Pod size and ${fits}`,
      found: 'a pod requests 345 MiB of 345 MiB memory',
      passed: true,
    })
  })

  test('a running pod with a CPU request above the capacity of these nodes may still get more memory', () => {
    const admittingCapacity = { ...aCapacity(345), cpuMillicoresMax: 50 }
    const { findings } = evaluate({ workload: { admittingCapacity } })
    expect(findings).toHaveLength(1)
    // CPU is not changed, because it would not fit.
    expect(findings[0]?.checks[0]?.found).toBe('a pod requests 345 MiB of 345 MiB memory')
  })

  test('both resources are shown if both rise, with the requests of the other containers of the pod', () => {
    const own = { cpuRequestMillicores: 100, memoryRequestKib: 256 * MIB, memoryLimitKib: 512 * MIB, usage: aUsage() }
    const usage = aUsage({ cpu: someCpu([150]), memory: someMemory(300 * MIB), memoryMaxKib: 300 * MIB })
    const short = aContainer({ ...own, usage, decision: aSize(200, 345 * MIB) })
    const beside = aContainer({ name: 'proxy', cpuRequestMillicores: 50, memoryRequestKib: 55 * MIB })
    const [finding] = evaluate({
      workload: { containers: [short, beside], admittingCapacity: aCapacity(400) },
    }).findings
    expect(finding?.checks[0]?.found).toBe(
      'a pod requests 250m of 2 cores CPU, a pod requests 400 MiB of 400 MiB memory',
    )
  })

  test('and shown if there is capacity', () => {
    const workload = { limits: { ...quota, quotaMemoryKibLeft: 178 * MIB } }
    const { findings } = evaluate({ workload, facts: { largestNode: { cpuMillicores: 2000, memoryKib: 345 * MIB } } })
    expect(findings).toHaveLength(1)
    expect(findings[0]?.checks[1]?.found).toBe('the pods request 178 MiB more memory, and 178 MiB is left')
  })

  test('for the resource that the quota lacks', () => {
    const workload = { limits: { ...quota, quotaCpuMillicoresLeft: 0, quotaMemoryKibLeft: 177 * MIB } }
    expect(evaluate({ workload }).withheld[0]?.detail).toBe(
      'The ResourceQuota of the namespace is too small: the pods request 178 MiB more memory, and 177 MiB is left.',
    )
  })

  test('a quota on other resources does not count', () => {
    const workload = { limits: { ...quota, quotaCpuMillicoresLeft: 0, quotaMemoryKibLeft: null } }
    expect(evaluate({ workload }).findings[0]?.checks[1]?.found).toBe('no quota applies')
  })
})
