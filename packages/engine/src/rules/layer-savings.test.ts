import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aContainer, aPool, aSize, aUsage, aVolume, aWorkload, someCpu, someFacts, someMemory } from './builders.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { NO_PLACEMENT } from './object-facts.ts'
import { RULES } from './registry.ts'
import { requestUsd } from './request-usd.ts'
import { runRules } from './run-rules.ts'

const usdOf = (facts: ClusterFacts) =>
  new Map(runRules(RULES, facts).findings.map(({ ruleId, estimatedUsdPerMonth: usd }) => [ruleId, usd]))

/** Three pods that ask for a core and 1 GiB each, 60 % cheaper on spot. */
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

test('spot saves on what right-sizing leaves, not on what it takes away', () => {
  const pod = 20 + 1024 * 1024 * 0.000004
  expect(usdOf(someFacts({ workloads: [web(1000)] })).get('spot_candidate')).toBeCloseTo(2 * pod * 0.6, 6)
  const both = usdOf(someFacts({ workloads: [web(500)] }))
  expect(both.get('container_overprovisioned')).toBeCloseTo(3 * 10, 6)
  expect(both.get('spot_candidate')).toBeCloseTo(2 * (pod - 10) * 0.6, 6)
})

test('a volume that becomes smaller saves less by becoming cheaper', () => {
  // $10 for 100 GiB of which 20 are used: 30 would do. The cheaper class costs a fifth less.
  const volume = aVolume({ usedKib: 20 * 1024 * 1024, cheaper: { storageClass: 'gp3', usdPerMonth: 8 } })
  const usd = usdOf(someFacts({ volumes: [volume] }))
  expect(usd.get('pv_overprovisioned')).toBeCloseTo(7, 6)
  expect(usd.has('storage_class_downgrade')).toBe(false)
  const large = aVolume({ ...volume, usdPerMonth: 100, cheaper: { storageClass: 'gp3', usdPerMonth: 80 } })
  expect(usdOf(someFacts({ volumes: [large] })).get('storage_class_downgrade')).toBeCloseTo(20 * 0.3, 6)
})

test('two ways to the same machines of a pool count once', () => {
  const cheaperSet = {
    usdPerMonth: 250,
    boundUsdPerMonth: 240,
    machines: ['2 × m6i.large'],
    swappedUsdPerMonth: 0,
    headroomPercent: 10,
    daysOfPeak: 31,
  }
  const requested = { cpuMillicores: 3200, memoryKib: 60 * 1024 * 1024 }
  const fragmented = usdOf(someFacts({ pools: [aPool({ requested })] }))
  expect(fragmented.get('node_fragmentation')).toBeCloseTo((60 / 64 - 0.2) * 200, 6)
  const both = usdOf(someFacts({ pools: [aPool({ requested, cheaperSet })] }))
  expect(both.get('node_instance_type_mismatch')).toBe(150)
  expect(both.has('node_fragmentation')).toBe(false)
})

test('all that is said about one workload never saves more than it costs', () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 1000 }), fc.integer({ min: 3, max: 30 }), (millicores, replicas) => {
      const workload = { ...web(millicores), replicas }
      const { findings } = runRules(RULES, someFacts({ workloads: [workload] }))
      const sum = findings.reduce((total, { estimatedUsdPerMonth: usd }) => total + usd, 0)
      expect(sum).toBeLessThanOrEqual(requestUsd(workload) + 1e-6)
    }),
  )
})
