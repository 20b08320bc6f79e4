import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, NOW, DAY, evaluateRule, someFacts, someMemory } from '../builders.ts'
import { containerUnderprovisioned } from '../catalogue/container-underprovisioned.ts'
import { cpuLimitThrottling } from '../catalogue/cpu-limit-throttling.ts'
import type { ContainerFacts, UsageFacts } from '../facts/cluster-facts.ts'
import { demandOf } from './demand.ts'
import { leakOf } from './leak.ts'

const mib = 1024
const gib = 1024 * mib
const none = { cpuMillicores: null, memoryKib: null }

const throttling = { periods: 1_000_000, throttledPeriods: 400_000 }

test.each<{
  name: string
  container: Partial<ContainerFacts>
  usage?: Partial<UsageFacts>
  cpu: boolean
  memory: boolean
}>([
  { name: 'calm usage', container: {}, cpu: false, memory: false },
  { name: 'throttling', container: { cpuLimitMillicores: 500, throttling }, cpu: true, memory: false },
  { name: 'OOM kills', container: { oomKills: 1 }, cpu: false, memory: true },
  { name: 'memory near the limit', container: {}, usage: { memoryMaxKib: 1.9 * gib }, cpu: false, memory: true },
  {
    name: 'memory without a limit',
    container: { memoryLimitKib: null },
    usage: { memoryMaxKib: 9 * gib },
    cpu: false,
    memory: false,
  },
])(
  'with $name, the demand is unknown above the limit of CPU: $cpu, of memory: $memory',
  ({ container, usage, cpu, memory }) => {
    expect(demandOf(aContainer(container), aUsage(usage), none).unknownAbove).toEqual({ cpu, memory })
  },
)

describe('a back-test of censored usage', () => {
  const container = aContainer({ oomKills: 3, usage: aUsage({ memoryMaxKib: 2 * gib }), decision: aSize(200, 3 * gib) })
  const [finding] = evaluateRule(
    containerUnderprovisioned,
    someFacts({ workloads: [aWorkload({ containers: [container] })] }),
  ).findings

  test('calls no value low risk', () => {
    expect(finding?.evidence.backtest.length).toBeGreaterThan(2)
    for (const { risk, spec } of finding?.evidence.backtest ?? [])
      if (spec.memoryKib !== null) expect(risk).not.toBe('low')
  })

  test('has the limits and the kills, and reports that demand is unknown', () => {
    expect(finding?.evidence.demand).toMatchObject({
      limits: { current: { memoryKib: 2 * gib } },
      oomKills: 3,
      leak: null,
    })
    expect(finding?.evidence.demand?.limits.proposed.memoryKib).toBeGreaterThan(2 * gib)
    expect(finding?.evidence.caveats[0]).toBe(
      'Demand above 2 GiB is unknown. Usage at the limit understates the demand, so no value is proven safe.',
    )
    expect(finding).toMatchObject({ risk: 'medium', riskReasons: ['Demand above the limit is unknown'] })
  })

  test('shows the new CPU limit of a throttled container', () => {
    const slow = aContainer({ cpuLimitMillicores: 500, throttling, usage: aUsage(), decision: aSize(200, 600 * mib) })
    const facts = someFacts({ workloads: [aWorkload({ containers: [slow] })] })
    const [raised] = evaluateRule(cpuLimitThrottling, facts).findings
    expect(raised?.evidence.demand).toMatchObject({
      limits: { current: { cpuMillicores: 500 } },
      unknownAbove: { cpu: true, memory: false },
    })
    expect(raised?.evidence.demand?.limits.proposed.cpuMillicores).toBeGreaterThan(500)
  })
})

/** Four pods for 14 days fill 2 GiB 110 times from a start at 866 MiB, as one leak of 96 MiB per hour would. */
const sawtooth = aUsage({
  replicasMean: 4,
  memoryMaxKib: 2 * gib,
  memory: someMemory(1450 * mib),
  startUp: { samples: 100, cpuMaxUnits: 0, memoryMaxKib: 866 * mib },
})

describe('a memory leak', () => {
  test('between kills has its growth and the time to the next kill, for both limits', () => {
    const leak = leakOf(aContainer({ oomKills: 110 }), sawtooth, 2663 * mib)
    expect(leak?.hoursToKill).toBeCloseTo((4 * 14 * 24) / 110, 6)
    expect((leak?.kibPerHour ?? 0) / mib).toBeCloseTo(96.7, 0)
    expect(leak?.hoursToKillProposed).toBeCloseTo(18.6, 1)
  })

  test('is not a short peak that OOM-kills a container with low memory', () => {
    const peaks = { ...sawtooth, memory: someMemory(870 * mib) }
    expect(leakOf(aContainer({ oomKills: 110 }), peaks, 3 * gib)).toBeNull()
  })

  test('over days is a clear rise with restarts, counted from now', () => {
    const rise = Float64Array.from({ length: 14 }, (_each, day) => (500 + 50 * day) * mib)
    const memory = {
      days: Int32Array.from({ length: 14 }, (_each, day) => NOW / DAY - 14 + day),
      max: rise,
      typical: rise,
    }
    const rising = aUsage({ memory, restarts: 2 })
    const leak = leakOf(aContainer(), rising, 3 * gib)
    // 50 MiB a day from 1150 MiB to 2048 MiB.
    expect(leak?.hoursToKill).toBeCloseTo(((2048 - 1150) / 50) * 24, 3)
    expect(leak?.hoursToKillProposed).toBeCloseTo(((3072 - 1150) / 50) * 24, 3)
    expect(leakOf(aContainer(), { ...rising, restarts: 0 }, 3 * gib)).toBeNull()
  })

  test('is neither steady memory nor a container without a limit', () => {
    expect(leakOf(aContainer({ oomKills: 2 }), aUsage({ restarts: 5 }), 3 * gib)).toBeNull()
    expect(leakOf(aContainer({ oomKills: 110, memoryLimitKib: null }), sawtooth, null)).toBeNull()
  })
})
