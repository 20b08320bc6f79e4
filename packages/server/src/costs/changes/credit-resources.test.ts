import { decimal } from '@plimsoll/engine'
import { compareTimes } from '@plimsoll/engine/changes'
import { expect, test } from 'vitest'
import { creditResources } from './credit-resources.ts'

const day = (date: number) => new Date(Date.UTC(2026, 9, date))
const windows = { before: { from: day(1), to: day(2) }, now: { from: day(8), to: day(9) } }

/** A volume at $1 per hour with 24 hours of data, then 18 hours. */
const costs = (now: string) => [{ uid: 'disk', kind: 'volume' as const, before: '24', now }]
const comparison = compareTimes({ before: 24 * 3600, now: 18 * 3600 }, { before: false, now: false })
const appliedOn = (date: number) => new Map([['disk', { id: 'step', appliedAt: day(date) }]])

test('missing hours give no credit to a step', () => {
  expect(creditResources(costs('18'), appliedOn(5), { comparison, windows })).toEqual([])
  // Removed: $1 per hour for the mean of 21 hours.
  expect(creditResources(costs('0'), appliedOn(5), { comparison, windows })).toEqual([
    { stepId: 'step', part: 'storage', usd: decimal('-21') },
  ])
})

test('a step that was applied before or after both windows gets no credit', () => {
  expect(creditResources(costs('0'), appliedOn(1), { comparison, windows })).toEqual([])
  expect(creditResources(costs('0'), appliedOn(9), { comparison, windows })).toEqual([])
})
