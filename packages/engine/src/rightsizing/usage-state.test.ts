import { histogramOf, packSlots, summariseUse } from './builders.ts'
import { expect, test } from 'vitest'
import { CPU_SCALE, mergeHistograms } from './histogram.ts'
import { slotsBetween } from './usage-state.ts'

const one = (units: number) => histogramOf(CPU_SCALE, [units])

test('slots are packed by time, in any input order', () => {
  const slots = [
    { slot: 7, histogram: one(700) },
    { slot: 5, histogram: one(500) },
    { slot: 6, histogram: mergeHistograms([]) },
  ]
  const packed = packSlots(slots)
  expect([...packed.slots]).toEqual([5, 7])
  expect(packSlots(slots.toReversed())).toEqual(packed)
})

test('a duplicate slot is an error of the caller', () => {
  expect(() =>
    packSlots([
      { slot: 5, histogram: one(1) },
      { slot: 5, histogram: one(2) },
    ]),
  ).toThrow('slot 5')
})

test('a range of slots holds its own samples only', () => {
  const packed = packSlots([4, 5, 6, 7].map((slot) => ({ slot, histogram: one(slot * 100) })))
  const part = slotsBetween(packed, 5, 7)
  expect([...part.slots]).toEqual([5, 6])
  expect((part.offsets[2] ?? 0) - (part.offsets[0] ?? 0)).toBe(2)
})

test('an hour has a mean, three percentiles and a maximum', () => {
  const values = Array.from({ length: 100 }, (_, index) => 100 * (index + 1))
  const summary = summariseUse(CPU_SCALE, histogramOf(CPU_SCALE, values))
  expect((summary?.mean ?? 0) / 5050).toBeCloseTo(1, 2)
  expect((summary?.p50 ?? 0) / 5000).toBeGreaterThanOrEqual(1)
  expect((summary?.p50 ?? 0) / 5000).toBeLessThan(1.03)
  expect((summary?.p99 ?? 0) / 9900).toBeLessThan(1.03)
  expect((summary?.max ?? 0) / 10_000).toBeLessThan(1.03)
  expect(summariseUse(CPU_SCALE, mergeHistograms([]))).toBeUndefined()
})
