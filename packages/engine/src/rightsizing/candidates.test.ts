import { expect, test } from 'vitest'
import { madeUsage } from '../../test/made-usage.ts'
import { cpuCandidates, cpuOutcomes, memoryCandidates, unitsForTime, unitsForVolume, windowOf } from './candidates.ts'
import { NO_SLOTS } from './usage-state.ts'

const question = { currentUnits: 10_000, floorUnits: 100, replicaFactor: 1 }
/** Nine samples of ten at 100 millicores, one at 500. */
const usage = madeUsage({ samples: () => [5000, ...Array.from({ length: 9 }, () => 1000)] })

test('there are 64, from the floor to above the maximum and the current request', () => {
  const candidates = cpuCandidates(windowOf(usage.cpu), question)
  expect(candidates).toHaveLength(64)
  expect(candidates[0]?.units).toBeCloseTo(100, 9)
  expect(candidates.at(-1)?.units).toBeGreaterThan(10_000)
})

test('200 millicores would have been short for a tenth of 14 days, by 300 millicores', () => {
  const [now, proposed] = cpuOutcomes(windowOf(usage.cpu), [10_000, 2000], question)
  expect(now).toMatchObject({ savedUnits: 0, minutesShort: 0 })
  expect(proposed?.minutesShort).toBeCloseTo(14 * 24 * 60 * 0.1, 6)
  expect((proposed?.unitMinutesShort ?? 0) / (14 * 24 * 60 * 0.1) / 3000).toBeCloseTo(1, 1)
  // Usage above the request still counts: the request drops by 8,000 units, of which 300 on average are used anyway.
  expect((proposed?.savedUnits ?? 0) / 7700).toBeCloseTo(1, 2)
})

test('a larger request is never shorter, and never saves more', () => {
  const candidates = cpuCandidates(windowOf(usage.cpu), question)
  for (const [index, candidate] of candidates.entries()) {
    const before = candidates[index - 1] ?? candidate
    expect(candidate.minutesShort).toBeLessThanOrEqual(before.minutesShort)
    expect(candidate.savedUnits).toBeLessThanOrEqual(before.savedUnits + 0.03 * candidate.units)
  }
})

test('savings never exceed the current request', () => {
  for (const { savedUnits } of cpuCandidates(windowOf(usage.cpu), question))
    expect(savedUnits).toBeLessThanOrEqual(10_000)
})

test('memory candidates count the days that would have ended in an OOM kill', () => {
  const { memory } = madeUsage({ memoryKib: (age) => 1000 * age })
  const candidates = memoryCandidates(memory, { currentKib: 20_000, floorKib: 500 })
  expect(candidates[0]).toMatchObject({ kib: expect.closeTo(500, 6) as number, oomDays: 14 })
  expect(candidates.at(-1)?.oomDays).toBe(0)
  const middle = candidates.find(({ kib }) => kib > 7000 && kib < 8000)
  expect(middle?.oomDays).toBe(7)
})

test('without a sample there are none', () => {
  expect(cpuCandidates(windowOf(NO_SLOTS), question)).toEqual([])
})

test('the smallest request that leaves a tenth of all usage above it', () => {
  const window = windowOf(usage.cpu)
  // Of every 14,000 units 5,000 come from the one sample in ten: 1,400 above 3,600.
  const units = unitsForVolume(window, 0.1)
  expect(units).toBeGreaterThan(3600)
  expect(units).toBeLessThanOrEqual(5200)
  expect(unitsForVolume(window, 0.9) / 1000).toBeCloseTo(1, 1)
  expect(unitsForVolume(windowOf(NO_SLOTS), 0.1)).toBe(1)
})

test('the smallest request that is short for at most this share of the time', () => {
  const window = windowOf(usage.cpu)
  expect(unitsForTime(window, 0.1) / 1000).toBeCloseTo(1, 1)
  expect(unitsForTime(window, 0.05)).toBeGreaterThanOrEqual(5000)
  expect(unitsForTime(windowOf(NO_SLOTS), 0.05)).toBe(0)
})
