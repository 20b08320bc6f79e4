import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aCheaperSet,
  aContainer,
  aNode,
  aPool,
  aSize,
  aUsage,
  aVolume,
  aWorkload,
  fourNodes,
  someCpu,
  someFacts,
  someMemory,
  evaluateRules,
} from '../builders.ts'
import type { ClusterFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { NO_PLACEMENT, type NodeFacts } from '../facts/object-facts.ts'
import { RULES } from '../catalogue.ts'
import { requestUsd } from './request-usd.ts'

const usdOf = (facts: ClusterFacts) =>
  new Map(evaluateRules(RULES, facts).findings.map(({ ruleId, estimatedUsdPerMonth: usd }) => [ruleId, usd]))

/** Three pods that request one core and 1 GiB each, 60 % cheaper on spot. */
const web = (millicoresNeeded: number) =>
  aWorkload({
    replicas: 3,
    placement: { ...NO_PLACEMENT, spotDiscount: 0.6 },
    containers: [
      aContainer({
        usage: aUsage({
          cpu: someCpu([100]),
          memory: someMemory(900 * 1024),
          memoryMaxKib: 900 * 1024,
          replicasMean: 3,
        }),
        decision: aSize(millicoresNeeded, 1024 * 1024),
      }),
    ],
  })

test('spot saves on the right-sized requests only', () => {
  const pod = 20 + 1024 * 1024 * 0.000004
  expect(usdOf(someFacts({ workloads: [web(1000)] })).get('spot_candidate')).toBeCloseTo(2 * pod * 0.6, 6)
  const both = usdOf(someFacts({ workloads: [web(500)] }))
  expect(both.get('container_overprovisioned')).toBeCloseTo(3 * 10, 6)
  expect(both.get('spot_candidate')).toBeCloseTo(2 * (pod - 10) * 0.6, 6)
})

/** Scaled on CPU with its current pods as minimum, of which two are enough. Only its memory can be right-sized. */
const scaled = (workload: WorkloadFacts, mibNeeded: number): WorkloadFacts => {
  const { replicas } = workload
  const history = { days: 14, atMinShare: 1, cpuUsePercent: 1 }
  const decision = {
    ...aSize(1000, mibNeeded * 1024),
    cpu: { kind: 'withheld' as const, reason: 'autoscaled_on_cpu' as const },
  }
  return {
    ...workload,
    autoscaler: {
      kind: 'hpa',
      name: 'web',
      replicasMin: replicas,
      replicasMax: 2 * replicas,
      cpuTargetPercent: 60,
      history,
    },
    containers: workload.containers.map((each) => ({
      ...each,
      memoryRequestKib: 10 * 1024 * 1024,
      memoryLimitKib: 10 * 1024 * 1024,
      usage: aUsage({
        ...each.usage,
        memory: someMemory(900 * 1024),
        memoryMaxKib: 900 * 1024,
        replicasMean: replicas,
      }),
      decision,
    })),
  }
}

test('pods below the minimum of an autoscaler save their right-sized cost', () => {
  const workload = scaled({ ...web(1000), replicas: 6, placement: NO_PLACEMENT }, 5 * 1024)
  const usd = usdOf(someFacts({ workloads: [workload] }))
  const half = 5 * 1024 * 1024 * 0.000004
  expect(usd.get('container_overprovisioned')).toBeCloseTo(6 * half, 6)
  expect(usd.get('hpa_min_replicas_high')).toBeCloseTo(4 * (20 + half), 6)
})

test('a finding that is too small takes nothing from the others', () => {
  const volume = aVolume({
    usedKib: 20 * 1024 * 1024,
    usdPerMonth: 100,
    cheaper: { storageClass: 'gp3', usdPerMonth: 10 },
  })
  const least = (savingUsdPerMonthMin: number) =>
    usdOf(someFacts({ volumes: [volume], policies: { cluster: { savingUsdPerMonthMin }, byNamespace: new Map() } }))
  // A smaller size saves $70, and the cheaper class then saves $27 of its $90.
  expect(least(1).get('pv_overprovisioned')).toBe(70)
  expect(least(1).get('storage_class_downgrade')).toBeCloseTo(27, 6)
  expect([...least(80)]).toEqual([['storage_class_downgrade', 90]])
})

test('a smaller volume saves less by a cheaper class', () => {
  // $10 for 100 GiB with 20 GiB used: 30 GiB are enough. The cheaper class costs a fifth less.
  const volume = aVolume({ usedKib: 20 * 1024 * 1024, cheaper: { storageClass: 'gp3', usdPerMonth: 8 } })
  const usd = usdOf(someFacts({ volumes: [volume] }))
  expect(usd.get('pv_overprovisioned')).toBeCloseTo(7, 6)
  expect(usd.has('storage_class_downgrade')).toBe(false)
  const large = aVolume({ ...volume, usdPerMonth: 100, cheaper: { storageClass: 'gp3', usdPerMonth: 80 } })
  expect(usdOf(someFacts({ volumes: [large] })).get('storage_class_downgrade')).toBeCloseTo(20 * 0.3, 6)
})

test('two ways to save the same nodes of a pool count once', () => {
  const cheaperSet = aCheaperSet()
  const requested = { cpuMillicores: 3200, memoryKib: 60 * 1024 * 1024 }
  const fragmented = usdOf(someFacts({ pools: [aPool({ requested })] }))
  expect(fragmented.get('node_fragmentation')).toBeCloseTo((60 / 64 - 0.2) * 200, 6)
  const nodes = fourNodes()
  const both = usdOf(someFacts({ nodes, pools: [aPool({ requested, cheaperSet })] }))
  expect(both.get('node_instance_type_mismatch')).toBe(150)
  expect(both.has('node_fragmentation')).toBe(false)
})

test('all findings about one workload never save more than its cost', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 1000 }),
      fc.integer({ min: 3, max: 30 }),
      fc.option(fc.integer({ min: 1024, max: 10 * 1024 })),
      (millicores, replicas, mibNeeded) => {
        const plain = { ...web(millicores), replicas }
        const workload = mibNeeded === null ? plain : scaled(plain, mibNeeded)
        const { findings } = evaluateRules(RULES, someFacts({ workloads: [workload] }))
        const sum = findings.reduce((total, { estimatedUsdPerMonth: usd }) => total + usd, 0)
        expect(sum).toBeLessThanOrEqual(requestUsd(workload) + 1e-6)
      },
    ),
  )
})

/** Like `web`, but idle for two weeks, or with a GPU that no process feeds. */
const idle = (millicores: number, { replicas = 3, gpus = 0 } = {}): WorkloadFacts => {
  const workload = web(millicores)
  const usage = aUsage({
    cpu: someCpu([1]),
    memory: someMemory(20 * 1024),
    memoryMaxKib: 20 * 1024,
    replicasMean: replicas,
  })
  return {
    ...workload,
    replicas,
    gpu: gpus === 0 ? null : { count: gpus, usdPerMonth: 500 * gpus },
    containers: workload.containers.map((each) => ({ ...each, usage, memoryLimitKib: null })),
  }
}

test.each([
  { name: 'is idle', gpus: 0, asked: 'workload_abandoned' },
  { name: 'holds an idle GPU', gpus: 1, asked: 'gpu_idle' },
])('a workload that $name has only the finding about deletion, and the others are withheld', ({ gpus, asked }) => {
  const { findings, withheld } = evaluateRules(RULES, someFacts({ workloads: [idle(100, { gpus })] }))
  expect(findings.map(({ ruleId }) => ruleId)).toEqual([asked])
  const held = withheld.filter(({ reason }) => reason === 'idle_workload').map(({ ruleId }) => ruleId)
  expect(held).toEqual(expect.arrayContaining(['container_overprovisioned', 'limits_memory_missing']))
})

test('if it is too cheap to ask about deletion, the other findings appear', () => {
  const policies = { cluster: { savingUsdPerMonthMin: 1000 }, byNamespace: new Map() }
  const { findings } = evaluateRules(RULES, someFacts({ workloads: [idle(100)], policies }))
  expect(findings.map(({ ruleId }) => ruleId)).toContain('limits_memory_missing')
})

test('all findings about a deletable workload never save more than its cost', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 10, max: 1000 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 2 }),
      (millicores, replicas, gpus) => {
        const workload = idle(millicores, { replicas, gpus })
        const { findings } = evaluateRules(RULES, someFacts({ workloads: [workload] }))
        const sum = findings.reduce((total, { estimatedUsdPerMonth: usd }) => total + usd, 0)
        expect(sum).toBeGreaterThan(0)
        expect(sum).toBeLessThanOrEqual(requestUsd(workload) + gpus * 500 + 1e-6)
      },
    ),
  )
})

/** Two nodes for $156 each, with a replacement of half the price; the first node has a blocker. */
const keptPool = (over: Partial<NodeFacts> = {}, setUsd = 156) => {
  const blocker = { code: 'disruption-budget', why: 'its budget allows 0.', basis: 'disruption-budget db' }
  const nodes = ['a', 'b'].map((name) => aNode({ name, pool: 'secure', usdPerMonth: 156, ...over }))
  const cheaperSet = aCheaperSet({ usdPerMonth: setUsd, machines: [{ type: 'half', count: 2 }] })
  const pools = [aPool({ name: 'secure', nodes: 2, usdPerMonth: 312, cheaperSet })]
  const free = someFacts({ nodes, pools })
  return { free, kept: { ...free, nodes: nodes.map((node) => (node.name === 'a' ? { ...node, blocker } : node)) } }
}

test('a replacement is not counted for a node that is removed once its blocker is lifted', () => {
  const { free, kept } = keptPool()
  expect(usdOf(free).get('node_instance_type_mismatch')).toBe(156)
  const { findings } = evaluateRules(RULES, kept)
  const left = findings.find(({ ruleId }) => ruleId === 'node_instance_type_mismatch')
  expect(left?.estimatedUsdPerMonth).toBeCloseTo(78, 6)
  expect(left?.checks.at(-1)?.found).toBe('applied alone, this change saves $156.00/month')
})

test('no capacity is stranded on nodes that other open recommendations remove', () => {
  const requested = { cpuMillicores: 3200, memoryKib: 60 * 1024 * 1024 }
  const stranded = (going: number) => {
    const nodes = fourNodes().map((node, index) => (index < going ? { ...node, goesWithAdvice: true } : node))
    return usdOf(someFacts({ nodes, pools: [aPool({ requested })] })).get('node_fragmentation')
  }
  expect(stranded(0)).toBeCloseTo((60 / 64 - 0.2) * 200, 6)
  expect(stranded(1)).toBeCloseTo(((60 / 64 - 0.2) * 200 * 3) / 4, 6)
})

test('for an old generation only the remaining nodes count', () => {
  const successor = { instanceType: 'm7i.xlarge', usdPerMonth: 126 }
  // $30 each. Half of the cost of the pool stays after the replacement, and one of two nodes once the budget is lifted.
  const { free, kept } = keptPool({ successor })
  expect(usdOf(free).get('old_generation_instance')).toBeCloseTo(60 / 2, 6)
  expect(usdOf(kept).get('old_generation_instance')).toBeCloseTo(30 / 2, 6)
  // Only one node of the pool is old: the replacement still leaves half of the pool.
  const mixed = free.nodes.map((node) => (node.name === 'a' ? node : { ...node, successor: null }))
  expect(usdOf({ ...free, nodes: mixed }).get('old_generation_instance')).toBeCloseTo(30 / 2, 6)
})

test('a finding that drops below the minimum beside a removed node is withheld, and severity follows the rest', () => {
  const { free, kept } = keptPool()
  const policies = { cluster: { savingUsdPerMonthMin: 100 }, byNamespace: new Map() }
  const withheld = evaluateRules(RULES, { ...kept, policies }).withheld.filter(
    ({ reason }) => reason === 'saving_too_small',
  )
  expect(withheld).toMatchObject([
    { ruleId: 'node_instance_type_mismatch', detail: expect.stringMatching(/78\.00/) as string },
  ])
  const swapped = (facts: ClusterFacts) => {
    const pools = facts.pools.map((pool) => ({ ...pool, cheaperSet: aCheaperSet({ ...pool.cheaperSet, swappedUsdPerMonth: 100 }) })) // prettier-ignore
    const { findings } = evaluateRules(RULES, { ...facts, pools })
    return findings.find(({ ruleId }) => ruleId === 'node_instance_type_mismatch')
  }
  // A twentieth of $1,000 is critical, a hundredth high: $100 alone, half of it beside the node.
  expect(swapped({ ...free, costUsdPerMonth: 1500 })).toMatchObject({ severity: 'critical', bankableUsdPerMonth: 100 })
  expect(swapped({ ...kept, costUsdPerMonth: 1500 })).toMatchObject({ severity: 'high', bankableUsdPerMonth: 50 })
})
