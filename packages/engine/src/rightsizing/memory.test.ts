import fc from 'fast-check'
import { expect, test } from 'vitest'
import { madeUsage, NOW } from '../../test/made-usage.ts'
import { GUARD_POLICY } from './guards.ts'
import { decideMemory, shadowVpaMemory, type MemoryContainer } from './memory.ts'

const MIB = 1024
const GIB = 1024 * MIB

function container(peakKib: number, own: Partial<MemoryContainer> = {}): MemoryContainer {
  const usage = madeUsage({ memoryKib: () => peakKib })
  return { usage, facts: { coverage: 1 }, replicas: 1, floorKib: 20 * MIB, ...own }
}

function only(given: MemoryContainer) {
  const [decision] = decideMemory([given], GUARD_POLICY, NOW).decisions
  if (decision?.kind !== 'request') throw new Error(`no request but ${JSON.stringify(decision)}`)
  return decision
}

test('a single container gets the request of KRR: its maximum and 15 %', () => {
  expect(only(container(2 * GIB))).toMatchObject({ kib: expect.closeTo(2.3 * GIB, 0) as number, because: 'rule' })
})

test('the total is that of KRR, and small containers get a larger safety margin', () => {
  const peaks = [200 * MIB, GIB, 8 * GIB]
  const { decisions, krrKib, requestedKib } = decideMemory(
    peaks.map((peak) => container(peak)),
    GUARD_POLICY,
    NOW,
  )
  expect(requestedKib).toBeCloseTo(krrKib, 0)
  const headrooms = decisions.map((own, index) => (own.kind === 'request' ? own.kib / (peaks[index] ?? 1) : 0))
  expect(headrooms[0]).toBeGreaterThan(headrooms[1] ?? 0)
  expect(headrooms[1]).toBeGreaterThan(headrooms[2] ?? 0)
})

test('no container gets less than 5 % above its maximum', () => {
  const peak = fc.integer({ min: 1, max: 64 * GIB })
  fc.assert(
    fc.property(fc.array(peak, { minLength: 1, maxLength: 10 }), (peaks) => {
      const { decisions } = decideMemory(
        peaks.map((own) => container(own)),
        GUARD_POLICY,
        NOW,
      )
      decisions.forEach((decision, index) => {
        if (decision.kind === 'request') expect(decision.kib).toBeGreaterThanOrEqual(1.05 * (peaks[index] ?? 0) - 1e-6)
      })
    }),
    { numRuns: 50 },
  )
})

test('an OOM kill requires a fifth more than the limit, and at least 100 MiB', () => {
  const killed = (limitKib: number) => {
    const usage = { ...madeUsage({ memoryKib: () => 10 * MIB }), oomKills: [{ at: NOW - 3600, limitKib }] }
    return only({ ...container(0), usage })
  }
  expect(killed(200 * MIB)).toMatchObject({ kib: 300 * MIB, because: 'oom_kill', risk: 'high' })
  expect(killed(10 * GIB).kib).toBeCloseTo(12 * GIB, 0)
})

test('one step lowers by at most 30 %, and raises at once', () => {
  expect(only(container(100 * MIB, { currentKib: GIB }))).toMatchObject({ kib: 0.7 * GIB, because: 'step' })
  expect(only(container(2 * GIB, { currentKib: GIB })).kib).toBeGreaterThan(2 * GIB)
})

test('start-up usage counts for the maximum', () => {
  const usage = {
    ...madeUsage({ memoryKib: () => GIB }),
    startUp: { samples: 9, cpuMaxUnits: 0, memoryMaxKib: 2 * GIB },
  }
  expect(only({ ...container(0), usage }).peakKib).toBe(2 * GIB)
})

test('a maximum of three weeks ago is ignored, but its day still counts', () => {
  const usage = madeUsage({ days: 28, memoryKib: (age) => (age === 20 ? 4 * GIB : GIB) })
  const decision = only({ ...container(0), usage })
  expect(decision).toMatchObject({ peakKib: GIB, shortDays: 1, knownDays: 28 })
})

test('an unknown Java heap is withheld', () => {
  const facts = { coverage: 1, jvmHeap: 'unknown' as const }
  expect(decideMemory([container(GIB, { facts })], GUARD_POLICY, NOW).decisions[0]).toEqual({
    kind: 'withheld',
    reason: 'jvm_heap_unknown',
  })
})

test('three days are too few', () => {
  const usage = madeUsage({ days: 3 })
  const [decision] = decideMemory([{ ...container(0), usage }], GUARD_POLICY, NOW).decisions
  expect(decision).toMatchObject({ kind: 'unknown', reason: 'short_history' })
})

test('VPA follows the newer peaks and counts an OOM kill as a peak', () => {
  const { memory } = madeUsage({ days: 14, memoryKib: (age) => (age <= 4 ? GIB : 8 * GIB) })
  // The last four days have 15/16 of the weight, so they contain the 90th percentile.
  const calm = shadowVpaMemory(memory, [], NOW)
  expect(calm / GIB).toBeGreaterThan(1.15)
  expect(calm / GIB).toBeLessThan(1.15 * 1.11)
  expect(shadowVpaMemory(memory, [{ at: NOW - 3600, limitKib: 2 * GIB }], NOW)).toBeGreaterThan(2.4 * GIB)
})
