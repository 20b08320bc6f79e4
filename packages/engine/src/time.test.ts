import { expect, test } from 'vitest'
import { cutAtChanges, intersect, secondsOf } from './time.ts'

test('disjoint spans have no seconds in common', () => {
  expect(secondsOf(intersect({ from: 0, to: 10 }, { from: 20, to: 30 }))).toBe(0)
  expect(secondsOf(intersect({ from: 20, to: 30 }, { from: 0, to: 10 }))).toBe(0)
})

test('a window is cut at changes inside it', () => {
  const pieces = cutAtChanges({ from: 0, to: 10 }, [
    { from: -5, to: 4 },
    { from: 4, to: 20 },
    { from: 8, to: 10 },
  ])
  expect(pieces).toEqual([
    { from: 0, to: 4 },
    { from: 4, to: 8 },
    { from: 8, to: 10 },
  ])
})

test('an empty window has no pieces', () => {
  expect(cutAtChanges({ from: 5, to: 5 }, [])).toEqual([])
})
