import { expect, test } from 'vitest'
import { stairsOf } from './stairs.ts'

const box = { left: 50, right: 350, top: 40, bottom: 240 }

test('each bill has a tread of the same width, and a lower bill is lower', () => {
  const { treads } = stairsOf([18_000, 15_000, 12_000], box)
  expect(treads.map(({ from, to }) => [from, to])).toEqual([
    [50, 150],
    [150, 250],
    [250, 350],
  ])
  expect(treads[0]?.y).toBe(40)
  expect(treads[1]?.y).toBeGreaterThan(treads[0]?.y ?? 0)
  expect(treads[2]?.riser).toBe(treads[1]?.y)
  expect(treads[2]?.y).toBeLessThan(240)
})

test('the axis begins below the lowest bill, at a round amount, and never below zero', () => {
  const { ticks } = stairsOf([18_233, 11_969], box)
  expect(ticks[0]).toBe(7500)
  expect(ticks.every((tick) => tick <= 18_233)).toBe(true)
  expect(stairsOf([100, 1], box).ticks[0]).toBe(0)
})

test('bills that are all equal draw a flat line', () => {
  const { treads } = stairsOf([500, 500], box)
  expect(new Set(treads.map(({ y }) => y)).size).toBe(1)
  expect(treads.every(({ y }) => Number.isFinite(y))).toBe(true)
})
