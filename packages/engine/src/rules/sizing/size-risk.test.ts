import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CPU_UNITS_PER_MILLICORE } from '../../rightsizing/histogram.ts'
import { aContainer, aCpuSize, aSize, aUsage, aWorkload, someCpu, NO_POLICIES } from '../builders.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { NO_PLACEMENT } from '../facts/object-facts.ts'
import { policyOf } from '../facts/policy.ts'
import { sizeEvidence } from './size-evidence.ts'
import { sizeRisk } from './size-risk.ts'
import { explainSize } from './explain-size.ts'
import type { Level } from '../../vocabulary/recommendations.ts'

const MINUTES = 14 * 24 * 60

type Case = {
  /** Of ten thousand minutes: those above the proposed 200 millicores, and of these those above the 300 of VPA. */
  aboveProposed: number
  aboveVpa: number
  workload?: Partial<WorkloadFacts>
}

/** Requests one core and uses 100 millicores, at times 250 or 400; 200 are proposed. */
function judge({ aboveProposed, aboveVpa, workload: more = {} }: Case) {
  const millicores = Array.from({ length: 10_000 }, (_, index) =>
    index < aboveVpa ? 400 : index < aboveProposed ? 250 : 100,
  )
  const usage = aUsage({ cpu: someCpu(millicores) })
  const cpu = aCpuSize({ vpaUnits: 300 * CPU_UNITS_PER_MILLICORE })
  const container = aContainer({ usage, decision: { ...aSize(200, 600 * 1024), cpu } })
  const workload = aWorkload({ containers: [container], ...more })
  const recommended = { cpuMillicores: 200, memoryKib: container.memoryRequestKib }
  const risk = sizeRisk({ workload, container, usage, recommended })
  const explanation = explainSize(workload, container, usage, {
    recommended,
    options: {
      policy: policyOf(NO_POLICIES, workload.namespace),
      risk,
    },
  })
  const evidence = sizeEvidence(workload, container, usage, { recommended, explanation })
  return { risk, evidence, proposed: evidence.backtest.find(({ who }) => who === 'proposed') }
}

/** Not a StatefulSet: a deep cut of one is never of low risk. */
const keepsData = { placement: { ...NO_PLACEMENT, hasVolumes: true } }

test.each<Case & { name: string; level: Level }>([
  { name: 'never short', aboveProposed: 0, aboveVpa: 0, level: 'low' },
  { name: 'short for half a percent of the time, and so would VPA be', aboveProposed: 50, aboveVpa: 50, level: 'low' },
  { name: 'short for twice as long as with VPA', aboveProposed: 50, aboveVpa: 25, level: 'medium' },
  { name: 'short for a little longer than with VPA', aboveProposed: 50, aboveVpa: 40, level: 'low' },
  { name: 'short for a negligible time', aboveProposed: 15, aboveVpa: 0, level: 'low' },
  { name: 'short for two percent of the time', aboveProposed: 200, aboveVpa: 200, level: 'medium' },
  { name: 'short for six percent of the time', aboveProposed: 600, aboveVpa: 600, level: 'high' },
  { name: 'stateful and never short', aboveProposed: 0, aboveVpa: 0, workload: keepsData, level: 'low' },
  {
    name: 'stateful and short for a negligible time',
    aboveProposed: 6,
    aboveVpa: 0,
    workload: keepsData,
    level: 'low',
  },
  {
    name: 'stateful and short for two minutes a day, three times as long as with VPA',
    aboveProposed: 15,
    aboveVpa: 5,
    workload: keepsData,
    level: 'medium',
  },
  {
    name: 'stateful and short for a while, even if VPA would be too',
    aboveProposed: 50,
    aboveVpa: 50,
    workload: keepsData,
    level: 'medium',
  },
  {
    name: 'a Deployment with volumes and short for a while',
    aboveProposed: 50,
    aboveVpa: 50,
    workload: { placement: { ...NO_PLACEMENT, hasVolumes: true } },
    level: 'medium',
  },
])('a container that would be $name has $level risk', ({ level, ...given }) => {
  const { risk, evidence, proposed } = judge(given)
  expect(risk.level).toBe(level)
  expect(proposed?.risk).toBe(level)
  expect(evidence.confidenceReasons.some((reason) => / The risk is (medium|high):/.test(reason))).toBe(level !== 'low')
})

describe('the reason for a higher risk', () => {
  test('contains the minutes of the back-test', () => {
    // Of 20,160 minutes.
    expect(judge({ aboveProposed: 50, aboveVpa: 25, workload: keepsData }).risk.reasons).toEqual([
      'Short of CPU in 14 days: 101 min with the proposal, 50 min with the VPA value, 0 min with the current request. The risk is medium: the workload is stateful, so clients wait as well; the proposal is short of CPU for much longer than the VPA value.',
    ])
  })

  test('an unchanged resource adds no reason', () => {
    const usage = aUsage({ cpu: someCpu([100, 100, 5000]) })
    const container = aContainer({ usage, decision: aSize(200, 600 * 1024) })
    const same = { cpuMillicores: container.cpuRequestMillicores, memoryKib: 600 * 1024 }
    expect(sizeRisk({ workload: aWorkload(keepsData), container, usage, recommended: same })).toEqual({
      level: 'low',
      reasons: [],
      inShort: [],
    })
  })
})

test('law: a container that is short for clearly longer than with VPA never has low risk, and back-test and finding agree', () => {
  const counts = fc.tuple(fc.nat(1000), fc.nat(1000), fc.constantFrom('Deployment', 'StatefulSet'))
  fc.assert(
    fc.property(counts, ([one, other, kind]) => {
      const [aboveProposed, aboveVpa] = [Math.max(one, other), Math.min(one, other)]
      const { risk, evidence, proposed } = judge({ aboveProposed, aboveVpa, workload: { kind } })
      const vpa = evidence.backtest.find(({ who }) => who === 'vpa')
      const [ours, theirs] = [proposed?.minutesShort ?? 0, vpa?.minutesShort ?? 0]
      expect(risk.level).toBe(proposed?.risk)
      if (ours > 0.0021 * MINUTES && ours > 1.51 * theirs) expect(risk.level).not.toBe('low')
    }),
    { numRuns: 50 },
  )
})
