import type { Savings } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { curveOf } from './curve.ts'
import { hasMoney } from './has-money.ts'

const row = (day: string, over: Partial<Savings['rows'][number]>): Savings['rows'][number] => ({
  day,
  ...{ estimated: 50, left_out: 0, bankable: 0, approved: 0, approved_bankable: 0 },
  ...{ implemented: 0, implemented_bankable: 0, resolved: 0, observed: 0, verified: null, reverted: null },
  ...over,
})

const now = new Date('2026-11-13T14:00:00Z')

test('the curve begins at $0, adds up the changes and ends today', () => {
  const rows = [
    row('2026-11-01', { implemented: 10, observed: 9 }),
    // A recommendation was found on that day, but no change was applied.
    row('2026-11-02', {}),
    row('2026-11-05', { resolved: 4, observed: 0 }),
  ]
  expect(curveOf(rows, now)).toEqual([
    { day: '2026-10-31', promised: 0, observed: 0 },
    { day: '2026-11-01', promised: 10, observed: 9 },
    { day: '2026-11-05', promised: 14, observed: 9 },
    { day: '2026-11-13', promised: 14, observed: 9 },
  ])
})

test('changes that raise the cost are part of the curve, so its end equals the totals', () => {
  const rows = [
    row('2026-11-01', { implemented: 100, observed: 90 }),
    // Only changes that raise requests.
    row('2026-11-03', { implemented: -40, observed: -38 }),
    // Observed extra cost exceeds the estimated savings.
    row('2026-11-05', { implemented: 30, observed: -38 }),
    // Savings and extra cost cancel out.
    row('2026-11-06', { implemented: 5, resolved: -5 }),
  ]
  const points = curveOf(rows, now)
  expect(points.map(({ promised, observed }) => [promised, observed])).toEqual([
    ...[
      [0, 0],
      [100, 90],
      [60, 52],
      [90, 14],
      [90, 14],
    ],
    [90, 14],
  ])
  const sum = (of: 'implemented' | 'resolved' | 'observed') => rows.reduce((total, each) => total + each[of], 0)
  expect(points.at(-1)).toMatchObject({ promised: sum('implemented') + sum('resolved'), observed: sum('observed') })
})

test('without changes there is no curve, and a change of today ends it', () => {
  expect(curveOf([row('2026-11-02', {})], now)).toEqual([])
  expect(curveOf([row('2026-11-13', { implemented: 1 })], now).map(({ day }) => day)).toEqual([
    '2026-11-12',
    '2026-11-13',
  ])
})

test('a row with only extra cost is not empty', () => {
  const none = row('2026-11-02', { estimated: 0 })
  expect(hasMoney(none)).toBe(false)
  expect(hasMoney({ ...none, implemented: -40 })).toBe(true)
})
