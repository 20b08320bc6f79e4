import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  aContainer,
  aCpuSize,
  aMemorySize,
  aNode,
  aSize,
  aUsage,
  aWorkload,
  NOW,
  evaluateRule,
  someCpu,
  someFacts,
  someMemory,
  evaluateRules,
} from './builders.ts'
import type { ClusterFacts } from './facts/cluster-facts.ts'
import { initContainerInflates } from './catalogue/init-container-inflates.ts'
import { labelOwnerMissing } from './catalogue/label-owner-missing.ts'
import { COUNTED_THERE } from './checks.ts'
import { DEFAULT_POLICY } from './facts/policy.ts'
import { RULES } from './catalogue.ts'
import { observer, type RuleFinding } from './evaluate.ts'
import { SEEN_USD_MIN } from './savings/saving-lines.ts'
import { severityOf } from './savings/severity.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const inflated = aWorkload({
  containers: [aContainer({ name: 'migrate', kind: 'init', cpuRequestMillicores: 3000 }), aContainer()],
})
const of = (over: Partial<ClusterFacts>) =>
  evaluateRule(initContainerInflates, someFacts({ workloads: [inflated], ...over }))

describe('the guards of every rule', () => {
  test('withhold a rule without its facts, and name them', () => {
    const { findings, withheld } = of({ known: new Set(['pods']) })
    expect(findings).toEqual([])
    expect(withheld).toMatchObject([
      {
        ruleId: 'init_container_inflates',
        target: null,
        reason: 'no_source',
        detail: expect.stringContaining('CPU and memory prices') as string,
      },
    ])
  })

  test.each([
    { fact: 'volume_use', rule: 'pv_overprovisioned', expected: 'kubelet.enabled=true' },
    { fact: 'throttling', rule: 'cpu_limit_throttling', expected: 'prometheusUrl' },
    { fact: 'heaps', rule: 'jvm_heap_mismatch', expected: 'readHeaps=true' },
  ] as const)('explain how to supply $fact', ({ fact, rule, expected }) => {
    const known = new Set([...someFacts().known].filter((each) => each !== fact))
    const { withheld } = evaluateRules(RULES, someFacts({ known }))
    expect(withheld.find(({ ruleId }) => ruleId === rule)?.unlock).toContain(expected)
  })

  test.each([
    { fact: 'volume_use', rule: 'pv_overprovisioned', expected: '/stats/summary' },
    { fact: 'throttling', rule: 'cpu_limit_throttling', expected: '/metrics/cadvisor' },
    { fact: 'rightsizing', rule: 'cpu_limit_throttling', expected: 'The kubelet reports usage' },
  ] as const)('name the missing metric for $fact if the kubelet is the source', (each) => {
    const known = new Set([...someFacts().known].filter((fact) => fact !== each.fact))
    const { withheld } = evaluateRules(RULES, someFacts({ known, usageSource: 'kubelet' }))
    const unlock = withheld.find(({ ruleId }) => ruleId === each.rule)?.unlock
    expect(unlock).toContain(each.expected)
    expect(unlock).not.toContain('kubelet.enabled=true')
  })

  test('exclude system namespaces unless the policy includes them', () => {
    const workloads = [{ ...inflated, namespace: 'kube-system' }]
    expect(of({ workloads }).reasons).toEqual(['system_namespace'])
    const policies = { cluster: { includeSystemNamespaces: true }, byNamespace: new Map() }
    expect(of({ workloads, policies }).findings).toHaveLength(1)
  })

  test('exclude what the policy of the namespace excludes', () => {
    const policies = { cluster: {}, byNamespace: new Map([['shop', { isExcluded: true }]]) }
    expect(of({ policies }).reasons).toEqual(['excluded'])
    expect(of({ policies, workloads: [{ ...inflated, namespace: 'data' }] }).findings).toHaveLength(1)
  })

  test.each(['labels', 'annotations'] as const)('exclude workloads annotated in their %s', (where) => {
    const ignored = { ...inflated, [where]: { 'plimsoll.dev/ignore': 'true' } }
    expect(of({ workloads: [ignored] }).reasons).toEqual(['ignored'])
  })

  test('withhold small savings, but only for rules about money', () => {
    const policies = { cluster: { savingUsdPerMonthMin: 1e6 }, byNamespace: new Map() }
    expect(of({ policies }).reasons).toEqual(['saving_too_small'])
    const unowned = someFacts({ workloads: [aWorkload({ labels: {} })], policies })
    expect(evaluateRule(labelOwnerMissing, unowned).findings).toHaveLength(1)
  })

  test('cap savings at the cost of the object, and allow only numbers', () => {
    const greedy = {
      ...initContainerInflates,
      judge: (facts: ClusterFacts) =>
        initContainerInflates
          .judge(facts)
          .map((each) => (each.kind === 'finding' ? { ...each, estimatedUsdPerMonth: 1e9 } : each)),
    }
    const [finding] = evaluateRule(greedy, someFacts({ workloads: [inflated] })).findings
    expect(finding?.estimatedUsdPerMonth).toBe(finding?.costUsdPerMonth)
  })
})

test.each([
  { share: 0.05, severity: 'critical' },
  { share: 0.049, severity: 'high' },
  { share: 0.01, severity: 'high' },
  { share: 0.001, severity: 'medium' },
  { share: 0.0009, severity: 'low' },
  { share: -1, severity: 'low' },
])('savings of $share of the cost of the cluster are $severity', ({ share, severity }) => {
  expect(severityOf({ savingUsdPerMonth: share * 1000, clusterUsdPerMonth: 1000, isUrgent: false })).toBe(severity)
})

test('a current failure is critical, and nothing is high if the cost of the cluster is unknown', () => {
  expect(severityOf({ savingUsdPerMonth: 0, clusterUsdPerMonth: 1000, isUrgent: true })).toBe('critical')
  expect(severityOf({ savingUsdPerMonth: 1e9, clusterUsdPerMonth: null, isUrgent: false })).toBe('low')
})

test('a job between two runs is observed with its mean number of pods', () => {
  const containers = [aContainer({ usage: aUsage({ replicasMean: 0.25 }) })]
  const facts = (kind: string) => someFacts({ workloads: [aWorkload({ kind, replicas: 0, containers })] })
  const observed = (kind: string) =>
    observer(facts(kind))({ kind, namespace: 'shop', name: 'web', container: containers[0]?.name ?? '' })
  expect(observed('CronJob')).toMatchObject({ kind: 'seen', replicas: 0, meanReplicas: 0.25 })
  expect(observed('Deployment')).not.toHaveProperty('meanReplicas')
})

test('an earlier target is observed, gone, or unknown', () => {
  const observe = observer(someFacts({ workloads: [aWorkload()], known: new Set(['pods']) }))
  const web = { kind: 'Deployment', namespace: 'shop', name: 'web', container: 'app' }
  expect(observe(web)).toMatchObject({ kind: 'seen', cpuMillicores: 1000, memoryKib: 1024 * 1024, replicas: 2 })
  expect(observe({ ...web, name: 'api' })).toEqual({ kind: 'gone' })
  expect(observe({ kind: 'PersistentVolume', namespace: '', name: 'pv', container: '' })).toEqual({ kind: 'unknown' })
})

test('a node pool is observed while one of its nodes is, even without facts about the pool', () => {
  const observe = observer(someFacts({ nodes: [aNode({ name: 'a', pool: 'work' })], pools: [] }))
  const pool = (name: string) => observe({ kind: 'NodePool', namespace: '', name, container: '' })
  expect(pool('work')).toMatchObject({ kind: 'seen' })
  expect(pool('spare')).toEqual({ kind: 'gone' })
})

test('a namespace is observed with all its running pods', () => {
  const workloads = [
    aWorkload(),
    aWorkload({ name: 'api' }),
    aWorkload({ namespace: 'night', kind: 'CronJob', replicas: 0 }),
  ]
  const observe = observer(someFacts({ workloads }))
  const replicasIn = (namespace: string) => observe({ kind: 'Namespace', namespace, name: namespace, container: '' })
  expect(replicasIn('shop')).toMatchObject({ kind: 'seen', replicas: 4 })
  expect(replicasIn('night')).toMatchObject({ kind: 'seen', replicas: 0 })
})

/** Any value that a broken source could send. */
const strange = fc.oneof(fc.constant(null), fc.integer({ min: 0, max: 1e12 }), fc.constantFrom(0, 1, 1e15))
const anyCpu = fc.oneof(
  fc
    .record({
      units: fc.nat(1e8),
      krr95Units: fc.nat(1e8),
      replicaFactor: fc.double({ min: 1, max: 1.5, noNaN: true }),
    })
    .map(aCpuSize),
  fc.constant({ kind: 'unknown' as const, reason: 'no_samples' as const }),
  fc.constant({ kind: 'withheld' as const, reason: 'autoscaled_on_cpu' as const }),
)
const anyMemory = fc.oneof(
  fc.nat(1e12).map((kib) => aMemorySize({ kib })),
  fc.constant({ kind: 'withheld' as const, reason: 'jvm_heap_unknown' as const }),
)

const anyContainer = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  kind: fc.constantFrom('app' as const, 'init' as const, 'sidecar' as const),
  cpuRequestMillicores: strange,
  memoryRequestKib: strange,
  memoryLimitKib: strange,
  cpuLimitMillicores: strange,
  oomKills: fc.nat(400),
  throttling: fc.option(fc.record({ periods: fc.nat(1e9), throttledPeriods: fc.nat(1e9) })),
  usage: fc.option(
    fc.record({
      historyDays: fc.nat(40),
      coverage: fc.double({ min: 0, max: 1, noNaN: true }),
      memoryMaxKib: fc.nat(1e9),
      cpu: fc.array(fc.nat(1e6), { maxLength: 5 }).map(someCpu),
      memory: fc.nat(1e9).map(someMemory),
      restarts: fc.nat(1000),
      runs: fc.nat(20),
      replicasMean: fc.double({ min: 0, max: 300, noNaN: true }),
    }),
  ),
  decision: fc.option(fc.record({ cpu: anyCpu, memory: anyMemory }).map((decided) => ({ ...aSize(0, 0), ...decided }))),
})

/** The lines of a rule add up to its savings, unless the savings were capped or are counted elsewhere. */
function expectOwnLines({ estimatedUsdPerMonth: usd, costUsdPerMonth: cost, checks, evidence }: RuleFinding): void {
  if (usd === cost || checks.some(({ check }) => check === COUNTED_THERE)) return
  const sum = evidence.savingLines.reduce((total, { usdPerMonth }) => total + usdPerMonth, 0)
  // For billions, a cent is below the precision of a number.
  expect(Math.abs(sum - usd)).toBeLessThan(SEEN_USD_MIN + 1e-9 * Math.abs(cost ?? usd))
}

test('for any facts, rules are deterministic, and savings are finite and never exceed the cost', () => {
  fc.assert(
    fc.property(
      fc.array(anyContainer, { maxLength: 4 }),
      fc.nat(300),
      fc.boolean(),
      fc.constantFrom('Deployment', 'StatefulSet', 'CronJob'),
      (containers, replicas, isPriced, kind) => {
        const workload = aWorkload({
          kind,
          replicas,
          containers: containers.map((each) => aContainer({ ...each, usage: each.usage && aUsage(each.usage) })),
          stuckPods: [{ name: 'p', since: NOW - 7200, cpuMillicores: 100, memoryKib: 1024 }],
          ...(isPriced ? {} : { price: null }),
        })
        const facts = someFacts({ workloads: [workload] })
        const analysis = evaluateRules(RULES, facts)
        expect(evaluateRules(RULES, facts)).toEqual(analysis)
        for (const finding of analysis.findings) {
          const { estimatedUsdPerMonth: usd, costUsdPerMonth: cost, recommendedSpec, evidence } = finding
          expectOwnLines(finding)
          expect(JSON.stringify([evidence.candidates, evidence.backtest])).not.toContain('null,"minutesShort":null')
          expect(Number.isFinite(usd)).toBe(true)
          if (cost !== null) expect(usd).toBeLessThanOrEqual(cost)
          expect(recommendedSpec?.cpuMillicores ?? 10).toBeGreaterThanOrEqual(0)
        }
      },
    ),
    lawRuns(300),
  )
})

test('every rule has a unique id and a description', () => {
  expect(new Set(RULES.map(({ id }) => id)).size).toBe(RULES.length)
  for (const { id, guards, title, description, trigger, saving, needs } of RULES) {
    expect(id).toMatch(/^[a-z][a-z0-9_]+$/)
    expect([title, description, trigger, saving].every((text) => text.length > 0)).toBe(true)
    expect([guards.length, needs.length]).not.toContain(0)
  }
  expect(DEFAULT_POLICY).toMatchObject({ historyDaysMin: 7, coverageMin: 0.8, cpuMillicoresMin: 10, memoryMibMin: 20 })
})
