import { describe, expect, test } from 'vitest'
import {
  aContainer,
  aCpuSize,
  aMemorySize,
  aSize,
  aUsage,
  aWorkload,
  evaluateRule,
  someCpu,
  someFacts,
  someMemory,
} from '../builders.ts'
import type { ClusterFacts, ContainerFacts, SizeDecision, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'

const MIB = 1024

/** Requests one core and 1 GiB, needs 200 millicores and 600 MiB, and uses 100 millicores and 500 MiB. */
const large: Partial<ContainerFacts> = {
  usage: aUsage({ cpu: someCpu([100]), memory: someMemory(500 * MIB), memoryMaxKib: 500 * MIB }),
  decision: aSize(200, 600 * MIB),
}

type Case = {
  container?: Partial<ContainerFacts>
  workload?: Partial<WorkloadFacts>
  facts?: Partial<ClusterFacts>
  usage?: Partial<UsageFacts>
  decision?: Partial<SizeDecision>
}

function evaluate({ container = {}, workload = {}, facts = {}, usage = {}, decision = {} }: Case = {}) {
  const own = aContainer({
    ...large,
    usage: { ...aUsage(large.usage ?? {}), ...usage },
    decision: { ...aSize(200, 600 * MIB), ...decision },
    ...container,
  })
  const workloads = [aWorkload({ containers: [own], ...workload })]
  return evaluateRule(containerOverprovisioned, someFacts({ workloads, ...facts }))
}

test('a container that requests much more than it needs gets one change of CPU and memory', () => {
  const { findings } = evaluate()
  expect(findings).toMatchObject([
    {
      target: { kind: 'Deployment', namespace: 'shop', name: 'web', container: 'app' },
      podName: 'web-0',
      currentSpec: { cpuMillicores: 1000, memoryKib: 1024 * MIB },
      recommendedSpec: { cpuMillicores: 200, memoryKib: 600 * MIB },
      risk: 'low',
      confidence: 'high',
      change: { fields: [{ to: '200m' }, { to: '600Mi' }] },
    },
  ])
  // 800 millicores at 2 cents and 424 MiB at $0.000004 a KiB, for two pods.
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * (800 * 0.02 + 424 * MIB * 0.000004), 6)
  expect(findings[0]?.costUsdPerMonth).toBeCloseTo(2 * (1000 * 0.02 + 1024 * MIB * 0.000004), 6)
})

test('usage above the request saves nothing', () => {
  const { findings } = evaluate({ usage: { cpu: someCpu([...Array.from({ length: 99 }, () => 100), 500]) } })
  const [{ estimatedUsdPerMonth = 0 } = {}] = findings
  const memory = 424 * MIB * 0.000004
  // For a hundredth of the time 300 of the 800 millicores are still used.
  expect(estimatedUsdPerMonth / (2 * (797 * 0.02 + memory))).toBeCloseTo(1, 2)
})

test('evidence holds the window, percentiles, four back-tests, candidates of each resource and reasons', () => {
  const [finding] = evaluate().findings
  const { evidence } = finding ?? expect.fail('nothing was found')
  expect(evidence).toMatchObject({ coverage: 1, standingDays: 7, window: { to: 1_800_000_000 } })
  expect(evidence.cpuMillicores?.p50).toBeGreaterThanOrEqual(100)
  expect(evidence.backtest.map(({ who }) => who)).toEqual(['current', 'proposed', 'vpa', 'krr'])
  expect(evidence.backtest[1]).toMatchObject({ spec: { cpuMillicores: 200 }, minutesShort: 0, oomDays: 0, risk: 'low' })
  const [now, proposed] = evidence.backtest.map(({ estimatedUsdPerMonth: usd }) => usd)
  expect([now, proposed]).toEqual([0, finding?.estimatedUsdPerMonth])
  expect(evidence.candidates).toHaveLength(2 * (64 + 2))
  const [least] = evidence.candidates
  expect(least).toMatchObject({ spec: { cpuMillicores: 10, memoryKib: 600 * MIB }, minutesShort: 14 * 24 * 60 })
  expect(least?.volumeShort).toBeCloseTo(0.9, 1)
  expect(evidence.candidates[66]).toMatchObject({ spec: { cpuMillicores: 200, memoryKib: 20 * MIB }, oomDays: 14 })
  expect(evidence.confidenceReasons[0]).toContain('20 days')
})

test('the proposed and the current request are among the candidates', () => {
  const [finding] = evaluate().findings
  const { evidence, currentSpec, recommendedSpec } = finding ?? expect.fail('nothing was found')
  const specs = evidence.candidates.map(({ spec }) => spec)
  expect(specs).toContainEqual(recommendedSpec)
  expect(specs).toContainEqual({ ...recommendedSpec, cpuMillicores: currentSpec?.cpuMillicores })
  expect(specs).toContainEqual({ ...recommendedSpec, memoryKib: currentSpec?.memoryKib })
})

describe('the observed history', () => {
  test('is shown with the number of known days', () => {
    const { caveats = [] } = evaluate({ usage: { historyDays: 17.2 } }).findings[0]?.evidence ?? {}
    expect(caveats).toContain('Peaks less frequent than every 17 days are not in the data.')
  })

  const rare = (earlierMillicores: number) =>
    evaluate({
      usage: { historyDays: 17, earlier: { cpuUnits: earlierMillicores * 10, memoryKib: 0 } },
      container: { decision: aSize(120, 600 * MIB) },
    }).findings[0]?.checks.find(({ check }) => check.startsWith('Rare peaks'))

  test('before a change is compared with the time since, and the text says whether the peak is included', () => {
    expect(rare(0)).toMatchObject({ found: 'no earlier data', passed: true })
    expect(rare(180)?.found).toMatch(/^earlier peak at most 180m, last 14 days at most .*: not included$/)
    expect(rare(300)).toMatchObject({
      found: expect.stringMatching(/: included; 3\d\dm proposed$/) as string,
      passed: true,
    })
  })

  const rehearsedAt = (time: number) => {
    const [ours, vpa] = [time, 0.0073].map((each) => ({ r: 1, time: each, volume: 0 }))
    if (!ours || !vpa) return expect.fail()
    return evaluate({ decision: { rehearsed: { kind: 'known', rounds: 2, ours, vpa, range: 1.7 } } }).findings[0]
  }

  test('of the whole cluster lowers the confidence where VPA would have been better', () => {
    expect(rehearsedAt(0.005)?.confidence).toBe('high')
    const worse = rehearsedAt(0.008)
    expect(worse?.confidence).toBe('medium')
    expect(worse?.evidence.confidenceReasons.join(' ')).toContain(
      'longer than with VPA values, so the confidence is not high',
    )
  })
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    { name: 'for a request that is close enough', decision: aSize(900, 900 * MIB) },
    { name: 'for a container that needs more', decision: aSize(2000, 2000 * MIB) },
    { name: 'for jobs', workload: { kind: 'CronJob' } },
    { name: 'for init containers', container: { kind: 'init' } },
    { name: 'for a container without requests', container: { cpuRequestMillicores: null, memoryRequestKib: null } },
    { name: 'after an OOM kill', container: { oomKills: 1 } },
    { name: 'when memory is near its limit', usage: { memoryMaxKib: 1900 * MIB } },
    {
      name: 'when raising memory costs more than lowering CPU saves',
      container: { cpuRequestMillicores: 300, memoryRequestKib: 512 * MIB, memoryLimitKib: 20_480 * MIB },
      usage: { memoryMaxKib: 8000 * MIB, memory: someMemory(500 * MIB) },
      decision: aSize(200, 8200 * MIB),
    },
  ])('$name', (each) => {
    expect(evaluate(each).findings).toEqual([])
  })
})

describe('only changeable fields change', () => {
  test.each<Case & { name: string; recommended: object }>([
    {
      name: 'the CPU request stays if an HPA scales on CPU',
      decision: { cpu: { kind: 'withheld', reason: 'autoscaled_on_cpu' } },
      recommended: { cpuMillicores: 1000, memoryKib: 600 * MIB },
    },
    {
      name: 'the CPU request stays if the container is throttled',
      container: { cpuLimitMillicores: 1000, throttling: { periods: 100_000, throttledPeriods: 26_000 } },
      recommended: { cpuMillicores: 1000, memoryKib: 600 * MIB },
    },
    {
      name: 'the CPU request is lowered if the container is rarely throttled',
      container: { cpuLimitMillicores: 1000, throttling: { periods: 100_000, throttledPeriods: 25_000 } },
      recommended: { cpuMillicores: 200, memoryKib: 600 * MIB },
    },
    {
      name: 'the memory request stays if the JVM heap is unknown',
      workload: { annotations: { 'plimsoll.dev/jvm': 'true' } },
      recommended: { cpuMillicores: 200, memoryKib: 1024 * MIB },
    },
    {
      name: 'the memory request stays a quarter above the JVM heap',
      workload: { annotations: { 'plimsoll.dev/jvm-heap': '640Mi' } },
      recommended: { cpuMillicores: 200, memoryKib: 800 * MIB },
    },
    {
      name: 'a sufficient memory request is not raised for a margin',
      container: { memoryRequestKib: 512 * MIB },
      recommended: { cpuMillicores: 200, memoryKib: 512 * MIB },
    },
    {
      name: 'a request is not above its limit',
      container: { memoryRequestKib: 400 * MIB, memoryLimitKib: 560 * MIB },
      recommended: { cpuMillicores: 200, memoryKib: 560 * MIB },
    },
    {
      name: 'minimum requests of the policy apply',
      facts: { policies: { cluster: { cpuMillicoresMin: 500, memoryMibMin: 700 }, byNamespace: new Map() } },
      recommended: { cpuMillicores: 500, memoryKib: 700 * MIB },
    },
    {
      name: 'minimum requests of the workload apply',
      workload: { annotations: { 'plimsoll.dev/min-cpu': '400m', 'plimsoll.dev/min-memory': '650Mi' } },
      recommended: { cpuMillicores: 400, memoryKib: 650 * MIB },
    },
    {
      name: 'minimum requests of the LimitRange apply',
      workload: {
        limits: {
          cpuMillicoresMin: 300,
          memoryKibMin: 800 * MIB,
          quotaCpuMillicoresLeft: null,
          quotaMemoryKibLeft: null,
        },
      },
      recommended: { cpuMillicores: 300, memoryKib: 800 * MIB },
    },
    {
      name: 'an open value that is close enough stays',
      container: { standing: { cpuMillicores: 210, memoryKib: 620 * MIB } },
      recommended: { cpuMillicores: 210, memoryKib: 620 * MIB },
    },
    {
      name: 'an open value that is too far away changes',
      container: { standing: { cpuMillicores: 300, memoryKib: 580 * MIB } },
      recommended: { cpuMillicores: 200, memoryKib: 600 * MIB },
    },
    {
      name: 'a peak of the last five weeks counts',
      usage: { earlier: { cpuUnits: 6000, memoryKib: 760 * MIB } },
      recommended: { cpuMillicores: 600, memoryKib: 798 * MIB },
    },
    {
      name: 'the busiest day counts on a Sunday too: short for at most 5 % of two weeks',
      decision: { cpu: aCpuSize({ units: 2000, krr95Units: 4000, krr99Units: 6000 }) },
      recommended: { cpuMillicores: 400, memoryKib: 600 * MIB },
    },
    {
      name: 'the sizing policy safe allows 1 %',
      facts: { policies: { cluster: { dial: 'safe' }, byNamespace: new Map() } },
      decision: { cpu: aCpuSize({ units: 2000, krr95Units: 4000, krr99Units: 6000 }) },
      recommended: { cpuMillicores: 600, memoryKib: 600 * MIB },
    },
    {
      name: 'the sizing policy thrifty has no bound',
      facts: { policies: { cluster: { dial: 'thrifty' }, byNamespace: new Map() } },
      decision: { cpu: aCpuSize({ units: 2000, krr95Units: 4000, krr99Units: 6000 }) },
      recommended: { cpuMillicores: 200, memoryKib: 600 * MIB },
    },
  ])('$name', ({ recommended, ...each }) => {
    expect(evaluate(each).findings).toMatchObject([{ recommendedSpec: recommended }])
  })

  test('the busiest hour of a day counts', () => {
    // One minute of 25 at 2 cores is 45 % of its usage.
    const cpu = someCpu([...Array.from({ length: 24 }, () => 100), 2000])
    const [finding] = evaluate({ container: { cpuRequestMillicores: 4000 }, usage: { cpu } }).findings
    expect(finding?.recommendedSpec?.cpuMillicores).toBeGreaterThan(1500)
  })
})

describe('a Guaranteed pod', () => {
  const guaranteed = { cpuLimitMillicores: 1500, cpuRequestMillicores: 1500, memoryLimitKib: 1024 * MIB }
  const cpu = aCpuSize({ units: 2000, krr95Units: 3000, krr99Units: 4000 })

  test('stays Guaranteed: limits follow, and CPU is at least its p99', () => {
    expect(evaluate({ container: guaranteed, decision: { cpu } }).findings).toMatchObject([
      {
        recommendedSpec: { cpuMillicores: 400, memoryKib: 600 * MIB },
        change: {
          fields: [
            { path: 'resources.requests.cpu', to: '400m' },
            { path: 'resources.requests.memory', to: '600Mi' },
            { path: 'resources.limits.cpu', from: '1500m', to: '400m' },
            { path: 'resources.limits.memory', from: '1Gi', to: '600Mi' },
          ],
        },
      },
    ])
  })

  test('with whole cores keeps whole cores', () => {
    const whole = { ...guaranteed, cpuRequestMillicores: 4000, cpuLimitMillicores: 4000 }
    expect(evaluate({ container: whole, decision: { cpu } }).findings).toMatchObject([
      { recommendedSpec: { cpuMillicores: 1000 } },
    ])
  })
})

describe('the number of paid pods', () => {
  const usd = (each: Case) => evaluate(each).findings[0]?.estimatedUsdPerMonth ?? 0
  const perPod = 800 * 0.02 + 424 * MIB * 0.000004

  test.each<Case & { name: string; pods: number }>([
    { name: 'rescaled from 3 to 300 yesterday', workload: { replicas: 300 }, usage: { replicasMean: 45 }, pods: 45 },
    { name: 'rescaled from 300 to 3', workload: { replicas: 3 }, usage: { replicasMean: 250 }, pods: 3 },
    {
      name: 'scaled continuously',
      workload: {
        replicas: 2,
        autoscaler: { kind: 'hpa', name: 'scaler', replicasMin: 2, replicasMax: 10, cpuTargetPercent: null },
      },
      usage: { replicasMean: 5.5 },
      pods: 5.5,
    },
  ])('of what was $name', ({ pods, ...each }) => {
    expect(usd(each)).toBeCloseTo(pods * perPod, 6)
  })
})

test('an init container holds its request: a smaller value saves nothing', () => {
  const migrate = aContainer({ name: 'migrate', kind: 'init', cpuRequestMillicores: 600, memoryRequestKib: 0 })
  const own = aContainer(large)
  const { findings } = evaluate({ workload: { containers: [migrate, own] } })
  // Of 800 millicores 400 are freed.
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * (400 * 0.02 + 424 * MIB * 0.000004), 6)
})

describe('withheld, with the reason', () => {
  const both = (why: SizeDecision['cpu'] & SizeDecision['memory']) => ({ cpu: why, memory: why })
  test.each<Case & { name: string; reason: string }>([
    { name: 'without a sample', container: { usage: null, decision: null }, reason: 'too_little_history' },
    {
      name: 'with three hours of history',
      decision: both({ kind: 'unknown', reason: 'short_history', days: 0.125, daysMin: 7 }),
      reason: 'too_little_history',
    },
    {
      name: 'with gaps',
      decision: both({ kind: 'unknown', reason: 'sparse_samples', coverage: 0.5, coverageMin: 0.8 }),
      reason: 'low_coverage',
    },
    {
      name: 'with a new image',
      decision: both({ kind: 'unknown', reason: 'image_changed', days: 0.5, daysMin: 1 }),
      reason: 'too_fresh',
    },
    { name: 'managed by a VPA', container: { managedBy: 'VerticalPodAutoscaler web' }, reason: 'managed_by' },
    {
      name: 'a DaemonSet on different nodes',
      workload: { kind: 'DaemonSet' },
      decision: {
        cpu: { kind: 'withheld', reason: 'replicas_differ', unevenness: 3, max: 2 },
        memory: { kind: 'withheld', reason: 'jvm_heap_unknown' },
      },
      reason: 'unequal_replicas',
    },
    { name: 'restarted 400 times', usage: { restarts: 400 }, reason: 'restarting' },
    { name: 'without a price', workload: { price: null }, reason: 'no_price' },
    {
      name: 'part of an idle workload',
      container: { decision: aSize(10, 600 * MIB) },
      usage: { cpu: someCpu([1]) },
      reason: 'idle_workload',
    },
    {
      name: 'with very low savings',
      workload: { replicas: 1 },
      usage: { replicasMean: 0.01 },
      reason: 'saving_too_small',
    },
  ])('$name', ({ reason, ...each }) => {
    const { findings, reasons } = evaluate(each)
    expect(findings).toEqual([])
    expect(reasons).toEqual([reason])
  })
})

test('memory is lowered in steps, and the text says so', () => {
  const memory = aMemorySize({ kib: 717 * MIB, because: 'step' })
  expect(evaluate({ decision: { memory } }).findings[0]?.evidence.caveats).toContain(
    'Memory is lowered by at most 30 % per step. Further steps may follow.',
  )
})

test('a start-up with much higher usage makes the risk medium', () => {
  const cpu = aCpuSize({ units: 2000, krr95Units: 2000, startUpPeak: true })
  expect(evaluate({ decision: { cpu } }).findings).toMatchObject([{ risk: 'medium' }])
})

test('guards are listed with their findings, and all of them hold', () => {
  const { checks = [] } = evaluate().findings[0] ?? {}
  expect(checks.map(({ passed }) => passed)).not.toContain(false)
  expect(checks).toContainEqual({ check: 'At least 7 days of usage', found: '20 days', passed: true })
  expect(checks).toContainEqual({
    check: 'Memory request above the maximum in 14 days, including start-up',
    found: 'maximum 500 MiB',
    passed: true,
  })
})

test('a heap that the agent reports keeps memory a quarter above it, as an annotation does', () => {
  const [finding] = evaluate({ container: { ...large, heapMaxKib: 640 * MIB } }).findings
  expect(finding?.recommendedSpec?.memoryKib).toBe(800 * MIB)
})
