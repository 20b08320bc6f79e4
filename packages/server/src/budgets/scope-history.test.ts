import { decimal } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { dateOfDay } from './budget-span.ts'
import { scopeHistory } from './scope-history.ts'

/** Whole days, except those without data. */
const aCluster = (id: string, days: readonly number[]) => ({
  cluster: { id, name: id },
  days: days.map((day) => ({ day, hours: 24, signature: '', end: dateOfDay(day + 1), isRead: true })),
})

const tenDays = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** The hours of each day for a large and a small cluster, whose costs per day are $90 and $10. */
const hoursOf = (large: readonly number[], small: readonly number[]) => {
  const cost = {
    since: 0,
    usdOn: () => decimal('100'),
    usdOf: (id: string) => (id === 'large' ? 90 * large.length : 10 * small.length),
  }
  return scopeHistory({}, [aCluster('large', large), aCluster('small', small)], cost).days.map(
    (each) => each.knownHours,
  )
}

const without = (...missing: number[]) => tenDays.filter((day) => !missing.includes(day))

test('a silent cluster takes hours from a day by its usual cost', () => {
  expect(hoursOf(tenDays, tenDays)).toEqual(tenDays.map(() => 24))
  expect(hoursOf(without(5), tenDays)[4]).toBe(2)
  expect(hoursOf(tenDays, without(5))[4]).toBe(22)
  expect(hoursOf(without(9, 10), tenDays).slice(8)).toEqual([2, 2])
})

test('a cluster takes no hours before its first day, or when it is silent for more than a week', () => {
  expect(hoursOf([8, 9, 10], tenDays)).toEqual(tenDays.map(() => 24))
  expect(hoursOf([1, 2], tenDays)).toEqual(tenDays.map(() => 24))
})
