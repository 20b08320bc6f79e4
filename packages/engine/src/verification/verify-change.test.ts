import { describe, expect, test } from 'vitest'
import {
  listRegressions,
  realisedUsd,
  regressionWords,
  verifyChange,
  wayGone,
  type AppliedChange,
} from './verify-change.ts'
import type { Verification } from '../vocabulary/recommendations.ts'

const day = 86_400
const applied = (over: Partial<AppliedChange>): AppliedChange => ({
  state: 'awaiting',
  doneAt: 0,
  now: day,
  ways: [0],
  failures: null,
  ...over,
})

const quiet = { oomKills: 0, restarts: 0, throttled: 0 }

test('a regression names what rose', () => {
  const since = { oomKills: 2, restarts: 3, throttled: 0.5 }
  expect(listRegressions({ before: quiet, since })).toEqual(['oom_kills', 'restarts', 'throttling'])
  expect(listRegressions({ before: quiet, since: { ...quiet, restarts: 0.5 } })).toEqual([])
  expect(regressionWords(['oom_kills', 'restarts'])).toBe('Since the change, OOM kills and restarts rose.')
})

describe('a change that a user reports as applied', () => {
  test.each<{ name: string; over: Partial<AppliedChange>; expected: Verification }>([
    { name: 'is awaited while no change is observed', over: {}, expected: 'awaiting' },
    { name: 'was not observed after seven days', over: { now: 7 * day }, expected: 'not_observed' },
    { name: 'is verified when all values are set', over: { ways: [1, 0.95] }, expected: 'verified' },
    {
      name: 'is verified even after seven days',
      over: { state: 'not_observed', now: 30 * day, ways: [1] },
      expected: 'verified',
    },
    { name: 'is partial when some values are set', over: { ways: [1, 0] }, expected: 'partial' },
    { name: 'is partial when a value is set halfway', over: { ways: [0.5] }, expected: 'partial' },
    { name: 'is reverted when the old value returns', over: { state: 'verified' }, expected: 'reverted' },
    {
      name: 'keeps its state while its workload is not observed',
      over: { state: 'verified', ways: [] },
      expected: 'verified',
    },
    {
      name: 'was not observed if its workload is not observed for a week',
      over: { ways: [], now: 7 * day },
      expected: 'not_observed',
    },
    {
      name: 'has regressed when containers are OOM-killed',
      over: { ways: [1], failures: { before: quiet, since: { ...quiet, oomKills: 0.2 } } },
      expected: 'regressed',
    },
    {
      name: 'has regressed when restarts double',
      over: { ways: [1], failures: { before: { ...quiet, restarts: 1 }, since: { ...quiet, restarts: 2 } } },
      expected: 'regressed',
    },
    {
      name: 'has regressed when throttling rises',
      over: { ways: [1], failures: { before: { ...quiet, throttled: 0.1 }, since: { ...quiet, throttled: 0.25 } } },
      expected: 'regressed',
    },
    {
      name: 'has not regressed after one restart, or without earlier throttling data',
      over: {
        ways: [1],
        failures: { before: { ...quiet, throttled: null }, since: { ...quiet, restarts: 0.5, throttled: 0.3 } },
      },
      expected: 'verified',
    },
    {
      name: 'that has regressed stays regressed',
      over: { state: 'regressed', ways: [1] },
      expected: 'regressed',
    },
    { name: 'that has regressed can be reverted', over: { state: 'regressed', ways: [0] }, expected: 'reverted' },
  ])('$name', ({ over, expected }) => {
    expect(verifyChange(applied(over))).toBe(expected)
  })
})

test.each([
  { from: 1000, to: 500, live: 1000, way: 0 },
  { from: 1000, to: 500, live: 750, way: 0.5 },
  { from: 1000, to: 500, live: 400, way: 1.2 },
  { from: 500, to: 1000, live: 1000, way: 1 },
  { from: null, to: 100, live: 250, way: 1 },
  { from: null, to: 100, live: null, way: 0 },
  { from: 100, to: null, live: null, way: 1 },
])('from $from to $to, $live is $way of the way', ({ from, to, live, way }) => {
  expect(wayGone(from, to, live)).toBeCloseTo(way, 9)
})

test('realized savings are the reduction times replicas and time, at the price', () => {
  // Half a core at $0.03 a millicore-month is $15 a month; two replicas for half a month: $15.
  const usd = realisedUsd({
    before: { cpuMillicores: 1000, memoryKib: 1024 },
    live: { cpuMillicores: 500, memoryKib: 1024 },
    replicas: 2,
    seconds: 365 * 3600,
    price: { cpuUsdPerMillicoreMonth: 0.03, memoryUsdPerKibMonth: 1 },
  })
  expect(usd).toBeCloseTo(15, 9)
})
