import { decideFleet } from '../testing/decide-fleet.ts'
import { expect, test } from 'vitest'
import { aContainer, aPolicy, madeUsage, NOW } from '../../test/made-usage.ts'
import { DIALS } from './safety-margin.ts'

const fleetOf = (samples: (age: number) => readonly number[]) => [
  aContainer({ usage: madeUsage({ days: 30, samples }) }),
]

/** A level that changes over weeks: VPA, with its half-life of one day, misses every rise. */
const wavy = (age: number) => {
  const level = 2000 + 1500 * Math.sin(age / 6)
  return Array.from({ length: 12 }, (_, index) => level * (1 + index / 40))
}

test('if a smaller budget causes no shortage, less is spent', () => {
  const { share, backtest } = decideFleet(
    fleetOf(() => [1000]),
    aPolicy({ dial: DIALS.balanced, rehearses: true }),
    NOW,
  )
  expect(backtest).toMatchObject({ kind: 'known', rounds: 14, ours: { time: 0 }, vpa: { time: 0 } })
  expect(share).toBeLessThan(1)
})

test('the spent share was better than VPA in time and volume, or it is the share of the dial', () => {
  const fleet = [
    aContainer({ usage: madeUsage({ days: 30, samples: wavy }) }),
    ...fleetOf((age) => [500 + 40 * (age % 7)]),
  ]
  const { share, backtest } = decideFleet(fleet, aPolicy({ dial: DIALS.balanced, rehearses: true }), NOW)
  if (backtest.kind !== 'known') throw new Error('no back-test')
  if (share < 1) {
    expect(backtest.ours.time).toBeLessThanOrEqual(0.95 * backtest.vpa.time)
    expect(backtest.ours.volume).toBeLessThanOrEqual(0.95 * backtest.vpa.volume)
  }
  expect(share).toBeGreaterThanOrEqual(0.84)
})

test('a request that stays for a week is rehearsed by weeks', () => {
  const { backtest } = decideFleet(fleetOf(wavy), aPolicy({ rehearses: true, standingDays: 7 }), NOW)
  expect(backtest).toMatchObject({ kind: 'known', rounds: 2 })
})

test('a weekly request is short at least as long as a daily one', () => {
  const timeShort = (standingDays: number) => {
    const { backtest } = decideFleet(fleetOf(wavy), aPolicy({ rehearses: true, standingDays }), NOW)
    return backtest.kind === 'known' ? backtest.ours.time : Number.NaN
  }
  expect(timeShort(7)).toBeGreaterThanOrEqual(timeShort(1))
})

test('without history there is no back-test', () => {
  const { backtest, share } = decideFleet([], aPolicy({ dial: DIALS.balanced, rehearses: true }), NOW)
  expect(backtest).toEqual({ kind: 'unknown', reason: 'too_few_rounds', rounds: 0 })
  expect(share).toBe(1)
})
