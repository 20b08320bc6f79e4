import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someCpu, someFacts, someMemory } from '../builders.ts'
import type { ClusterFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { containerOverprovisioned } from './container-overprovisioned.ts'

const MIB = 1024

/** 100 millicores, but 180 for two minutes of a hundred: p95 is 100, p99 is 180. */
const lively = { cpu: someCpu([...Array.from({ length: 98 }, () => 100), 180, 180]) }

type Case = { workload?: Partial<WorkloadFacts>; facts?: Partial<ClusterFacts>; usage?: Partial<UsageFacts> }

/** The container requests one core and 1 GiB, and needs 110 millicores and 600 MiB without a larger margin. */
function evaluate({ workload = {}, facts = {}, usage = lively }: Case = {}) {
  const memory = { memory: someMemory(500 * MIB), memoryMaxKib: 500 * MIB }
  const own = aContainer({ usage: aUsage({ ...memory, ...usage }), decision: aSize(110, 600 * MIB) })
  return evaluateRule(
    containerOverprovisioned,
    someFacts({ workloads: [aWorkload({ containers: [own], ...workload })], ...facts }),
  )
}

const cpuOf = (each: Case) => evaluate(each).findings[0]?.recommendedSpec?.cpuMillicores

describe('a larger safety margin applies', () => {
  test('to a StatefulSet and to pods with volumes', () => {
    expect(cpuOf({})).toBe(110)
    expect(cpuOf({ workload: { kind: 'StatefulSet' } })).toBeGreaterThanOrEqual(180)
    const placement = { ...aWorkload().placement, hasVolumes: true }
    expect(cpuOf({ workload: { placement } })).toBeGreaterThanOrEqual(180)
  })

  /** 100 millicores, but 180 for some minutes of two thousand. */
  const rarely = (minutes: number) => ({
    cpu: someCpu([...Array.from({ length: 2000 - minutes }, () => 100), ...Array.from({ length: minutes }, () => 180)]),
  })

  test('to a data store: it is short for at most one minute per day', () => {
    const kind = 'StatefulSet'
    // Of 1,440 minutes a day: 1.44 are too many, 0.72 are not.
    expect(cpuOf({ usage: rarely(2), workload: { kind } })).toBeGreaterThanOrEqual(180)
    expect(cpuOf({ usage: rarely(1), workload: { kind } })).toBe(110)
    expect(cpuOf({ usage: rarely(2) })).toBe(110)
  })

  test('and its cost is shown: 80 millicores of two pods at 2 cents each', () => {
    const reasons = (usage: Partial<UsageFacts>) =>
      evaluate({ usage, workload: { kind: 'StatefulSet' } }).findings[0]?.evidence.confidenceReasons ?? []
    const [reason = ''] = reasons(rarely(2)).filter((reason) => reason.startsWith('The workload is stateful'))
    const saved = Number(/saves \$([\d.]+)\/month more/.exec(reason)?.[1])
    expect(reason).toMatch(
      /^The workload is stateful, so the CPU request is 18\dm\. .* A stateless workload would get 110m/,
    )
    expect(saved).toBeGreaterThan(2 * 70 * 0.02)
    expect(saved).toBeLessThan(2 * 80 * 0.02)
    expect(reasons(rarely(1)).join()).not.toContain('stateful')
  })

  test('to bursty usage: p99 is twice the p95', () => {
    const bursts = { cpu: someCpu([...Array.from({ length: 97 }, () => 100), 300, 300, 300]) }
    expect(cpuOf({ usage: bursts })).toBeGreaterThanOrEqual(300)
  })

  test('but a thrifty policy reduces it by one step', () => {
    const policies = { cluster: { dial: 'thrifty' as const }, byNamespace: new Map() }
    expect(cpuOf({ workload: { kind: 'StatefulSet' }, facts: { policies } })).toBe(110)
  })

  test('and the text says so, with the outcome of the proposal', () => {
    const [finding] = evaluate({ workload: { kind: 'StatefulSet' } }).findings
    expect(finding?.checks).toContainEqual({
      check: 'Short of CPU for at most 1 minute per day (stateful workload)',
      found: '0 minutes of 14 days with the proposal',
      passed: true,
    })
  })
})
