import { expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { epochSection } from './checkpoint/epoch-section.ts'
import { Numbers } from './checkpoint/section.ts'
import { emptyFoldState } from './fold-state.ts'
import { Gaps, gapsMax } from './gaps.ts'

test('batches in sequence leave no gap', () => {
  const gaps = new Gaps(0)
  expect([1, 2, 3, 2].map((seq) => gaps.pass(seq, seq * 60))).toEqual(Array(4).fill('unchanged'))
  expect(gaps.covers(0)).toBe(false)
})

test('a gap covers all that follows until a snapshot, and nothing once all its batches have arrived', () => {
  const gaps = new Gaps(0)
  gaps.pass(1, 0)
  expect(gaps.pass(4, 60)).toBe('opened')
  expect([59, 60, 9999].map((second) => gaps.covers(second))).toEqual([false, true, true])
  gaps.settle(300)
  expect([60, 299, 300].map((second) => gaps.covers(second))).toEqual([true, true, false])
  expect([gaps.pass(3, 240), gaps.pass(2, 240)]).toEqual(['unchanged', 'closed'])
  expect(gaps.covers(60)).toBe(false)
})

test('an old gap is dropped', () => {
  const gaps = new Gaps(0)
  gaps.pass(3, 60)
  gaps.forgetBefore(1e9)
  expect(gaps.covers(60)).toBe(true)
  gaps.settle(300)
  gaps.forgetBefore(301)
  expect(gaps.covers(60)).toBe(false)
})

test('of many gaps the oldest are merged; the merged gap covers at least as much and closes when all its batches have arrived', () => {
  const gaps = new Gaps(0)
  for (let seq = 2; seq <= 1000; seq += 2) gaps.pass(seq, seq * 60)
  expect(gaps.gaps).toHaveLength(gapsMax)
  for (let seq = 2; seq <= 1000; seq += 2) expect(gaps.covers(seq * 60)).toBe(true)
  const closing = Array.from({ length: 500 }, (_each, index) => gaps.pass(2 * index + 1, 0))
  expect(closing.filter((each) => each === 'closed')).toHaveLength(gapsMax)
  expect(gaps.covers(60_000)).toBe(false)
})

test('gaps with too many missing batches are merged into one that only a snapshot ends', () => {
  const gaps = new Gaps(0)
  for (let jump = 1; jump <= 300; jump += 1) gaps.pass(jump * 9_000, jump * 60)
  const remembered = gaps.gaps.reduce((sum, { missing }) => sum + missing.size, 0)
  expect(remembered).toBeLessThanOrEqual(gapsMax * 10_000)
  expect(gaps.pass(1, 0)).toBe('unchanged')
  expect(gaps.covers(60)).toBe(true)
  gaps.settle(1e6)
  expect([60, 1e6].map((second) => gaps.covers(second))).toEqual([true, false])
})

test('an epoch saved before gaps were recorded loads, and counts on from its next batch', () => {
  const state = emptyFoldState(aNodeClass)
  epochSection.load(state, { id: 'old', refs: [], numbers: [], listing: null }, new Numbers())
  const gaps = state.epochs.get('old')?.gaps
  expect([gaps?.pass(7, 0), gaps?.pass(8, 0), gaps?.pass(10, 0)]).toEqual(['unchanged', 'unchanged', 'opened'])
  const again = loadCheckpoint(saveCheckpoint(state), aNodeClass)
  expect(again.epochs.get('old')?.gaps.pass(9, 0)).toBe('closed')
})
