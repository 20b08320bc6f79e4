import fc from 'fast-check'
import { expect, test } from 'vitest'
import { billAxis, pixels } from './bill-axis.ts'

const box = { left: 52, right: 700, top: 44, bottom: 300 }
const margin = { ofDifference: 0.25, ofHighest: 0.02 }
const bill = fc.integer({ min: 1, max: 5_000_000 }).map((cents) => cents / 100)
const bills = fc.array(bill, { minLength: 1, maxLength: 12 })

test('every bill is inside the chart, and a higher bill is higher', () => {
  fc.assert(
    fc.property(bills, (values) => {
      const { y } = billAxis(values, box, margin)
      const sorted = [...values].sort((a, b) => a - b)
      const heights = sorted.map(y)
      for (const each of heights) {
        expect(each).toBeGreaterThanOrEqual(box.top - 1e-6)
        expect(each).toBeLessThanOrEqual(box.bottom + 1e-6)
      }
      expect([...heights].sort((a, b) => b - a)).toEqual(heights)
    }),
  )
})

test('the axis starts at its first tick, at or above $0, and at or below the lowest bill', () => {
  fc.assert(
    fc.property(bills, (values) => {
      const { ticks, base } = billAxis(values, box, margin)
      expect(ticks[0] ?? 0).toBe(base)
      expect(base).toBeGreaterThanOrEqual(0)
      expect(base).toBeLessThanOrEqual(Math.min(...values))
      expect(ticks.at(-1) ?? 0).toBeLessThanOrEqual(Math.max(...values))
    }),
  )
})

test('a larger margin never starts the axis higher', () => {
  fc.assert(
    fc.property(bills, (values) => {
      const wide = billAxis(values, box, { ofDifference: 0.4, ofHighest: 0.05 })
      expect(billAxis(values, box, { ofDifference: 1, ofHighest: 1 }).base).toBeLessThanOrEqual(wide.base)
    }),
  )
})

test('positions have at most one decimal', () => {
  expect([12.34, 12.35, -0.04].map(pixels)).toEqual([12.3, 12.4, -0])
})
