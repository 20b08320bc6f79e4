import fc from 'fast-check'
import { expect, test } from 'vitest'
import { squarify } from './squarify.ts'

const whole = { x: 0, y: 0, width: 600, height: 200 }

test('two equal halves of a wide place stand beside each other', () => {
  expect(squarify([1, 1], { x: 10, y: 0, width: 200, height: 100 })).toEqual([
    { x: 10, y: 0, width: 100, height: 100 },
    { x: 110, y: 0, width: 100, height: 100 },
  ])
})

test('areas are to each other as their values, lie inside, and leave nothing empty', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(values, (unsorted) => {
      const sorted = [...unsorted].sort((a, b) => b - a)
      const total = sorted.reduce((sum, value) => sum + value, 0)
      fc.pre(total > 1e-3)
      const places = squarify(sorted, whole)
      expect(places).toHaveLength(sorted.length)
      for (const [index, { x, y, width, height }] of places.entries()) {
        expect(width * height).toBeCloseTo((120_000 * (sorted[index] ?? 0)) / total, 2)
        expect(Math.min(x, y, width, height)).toBeGreaterThan(-1e-6)
        expect(x + width).toBeLessThan(600 + 1e-6)
        expect(y + height).toBeLessThan(200 + 1e-6)
      }
    }),
    { examples: [[[1.38e-8, 6.57e-13, 8279.2, 0]]] },
  )
})

test('nothing to show takes no room', () => {
  expect(squarify([0, 0], whole).map(({ width, height }) => width * height)).toEqual([0, 0])
})
