import fc from 'fast-check'
import { expect, test } from 'vitest'
import { layTiles } from './tile-layout.ts'

const whole = { width: 600, height: 200 }

test('two equal tiles of a wide chart stand side by side', () => {
  expect(layTiles([1, 1], { width: 200, height: 100 })).toEqual([
    { x: 0, y: 0, width: 100, height: 100 },
    { x: 100, y: 0, width: 100, height: 100 },
  ])
})

test('a row takes another tile as long as none of its tiles gets thinner', () => {
  const places = layTiles([6, 6, 4, 3, 2, 2, 1], { width: 600, height: 400 })
  expect(places.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round))).toEqual([
    [0, 0, 300, 200],
    [0, 200, 300, 200],
    [300, 0, 171, 233],
    [471, 0, 129, 233],
    [300, 233, 120, 167],
    [420, 233, 120, 167],
    [540, 233, 60, 167],
  ])
})

test('areas are proportional to their values, lie inside the chart and leave no empty space', () => {
  const values = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(values, (unsorted) => {
      const sorted = [...unsorted].sort((a, b) => b - a)
      const total = sorted.reduce((sum, value) => sum + value, 0)
      fc.pre(total > 1e-3)
      const places = layTiles(sorted, whole)
      expect(places).toHaveLength(sorted.length)
      for (const [index, { x, y, width, height }] of places.entries()) {
        expect(width * height).toBeCloseTo((120_000 * (sorted[index] ?? 0)) / total, 2)
        expect(Math.min(x, y, width, height)).toBeGreaterThan(-1e-3)
        expect(x + width).toBeLessThan(600 + 1e-3)
        expect(y + height).toBeLessThan(200 + 1e-3)
      }
    }),
    { examples: [[[1.38e-8, 6.57e-13, 8279.2, 0]]] },
  )
})

test('tiles without a value have no area', () => {
  expect(layTiles([0, 0], whole).map(({ width, height }) => width * height)).toEqual([0, 0])
})
