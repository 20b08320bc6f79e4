import { expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { epochSection } from './checkpoint/epoch-section.ts'
import { Numbers } from './checkpoint/section.ts'
import { emptyFoldState } from './fold-state.ts'
import { Holes, holesMax } from './holes.ts'

test('batches in sequence leave no gap', () => {
  const holes = new Holes(0)
  expect([1, 2, 3, 2].map((seq) => holes.pass(seq, seq * 60))).toEqual(Array(4).fill('unchanged'))
  expect(holes.covers(0)).toBe(false)
})

test('a gap covers all that follows until a snapshot, and nothing once all its batches have arrived', () => {
  const holes = new Holes(0)
  holes.pass(1, 0)
  expect(holes.pass(4, 60)).toBe('opened')
  expect([59, 60, 9999].map((second) => holes.covers(second))).toEqual([false, true, true])
  holes.settle(300)
  expect([60, 299, 300].map((second) => holes.covers(second))).toEqual([true, true, false])
  expect([holes.pass(3, 240), holes.pass(2, 240)]).toEqual(['unchanged', 'closed'])
  expect(holes.covers(60)).toBe(false)
})

test('an old gap is forgotten', () => {
  const holes = new Holes(0)
  holes.pass(3, 60)
  holes.forgetBefore(1e9)
  expect(holes.covers(60)).toBe(true)
  holes.settle(300)
  holes.forgetBefore(301)
  expect(holes.covers(60)).toBe(false)
})

test('of many gaps the oldest are merged; the merged gap covers at least as much and closes when all its batches have arrived', () => {
  const holes = new Holes(0)
  for (let seq = 2; seq <= 1000; seq += 2) holes.pass(seq, seq * 60)
  expect(holes.holes).toHaveLength(holesMax)
  for (let seq = 2; seq <= 1000; seq += 2) expect(holes.covers(seq * 60)).toBe(true)
  const closing = Array.from({ length: 500 }, (_each, index) => holes.pass(2 * index + 1, 0))
  expect(closing.filter((each) => each === 'closed')).toHaveLength(holesMax)
  expect(holes.covers(60_000)).toBe(false)
})

test('gaps with too many missing batches are merged into one that only a snapshot ends', () => {
  const holes = new Holes(0)
  for (let jump = 1; jump <= 300; jump += 1) holes.pass(jump * 9_000, jump * 60)
  const remembered = holes.holes.reduce((sum, { missing }) => sum + missing.size, 0)
  expect(remembered).toBeLessThanOrEqual(holesMax * 10_000)
  expect(holes.pass(1, 0)).toBe('unchanged')
  expect(holes.covers(60)).toBe(true)
  holes.settle(1e6)
  expect([60, 1e6].map((second) => holes.covers(second))).toEqual([true, false])
})

test('an epoch saved before gaps were recorded loads, and counts on from its next batch', () => {
  const state = emptyFoldState(aNodeClass)
  epochSection.load(state, { id: 'old', refs: [], numbers: [], listing: null }, new Numbers())
  const holes = state.epochs.get('old')?.holes
  expect([holes?.pass(7, 0), holes?.pass(8, 0), holes?.pass(10, 0)]).toEqual(['unchanged', 'unchanged', 'opened'])
  const again = loadCheckpoint(saveCheckpoint(state), aNodeClass)
  expect(again.epochs.get('old')?.holes.pass(9, 0)).toBe('closed')
})
