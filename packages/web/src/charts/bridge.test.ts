import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bridgeOf } from './bridge.ts'

const box = { left: 50, right: 450, top: 40, bottom: 240 }

test('a change begins at the height where the bar before it ends', () => {
  const { bars } = bridgeOf(1000, [-300, 100], box)
  expect(bars).toHaveLength(4)
  const [before, fall, rise, now] = bars
  expect(fall?.top).toBe(before?.level)
  expect(rise?.bottom).toBe(fall?.level)
  expect([fall?.isRise, rise?.isRise]).toEqual([false, true])
  expect(now?.level).toBe(rise?.level)
})

test('every bar is inside the box, for any bill', () => {
  const usd = fc.integer({ min: -5000, max: 5000 })
  fc.assert(
    fc.property(fc.nat(50_000), fc.array(usd, { maxLength: 8 }), (before, changes) => {
      const total = changes.reduce<{ bill: number; kept: number[] }>(
        ({ bill, kept }, each) => (bill + each < 0 ? { bill, kept } : { bill: bill + each, kept: [...kept, each] }),
        { bill: before, kept: [] },
      )
      for (const { from, to, top, bottom } of bridgeOf(before, total.kept, box).bars) {
        expect(from).toBeGreaterThanOrEqual(50)
        expect(to).toBeLessThanOrEqual(450)
        expect(top).toBeGreaterThanOrEqual(39.9)
        expect(bottom).toBeLessThanOrEqual(241.1)
        expect(bottom).toBeGreaterThan(top)
      }
    }),
  )
})
