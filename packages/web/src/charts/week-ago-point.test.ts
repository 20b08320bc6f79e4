import { expect, test } from 'vitest'
import { weekAgoPoint } from './week-ago-point.ts'

const dayMs = 86_400_000
const first = Date.parse('2026-11-01T00:00:00Z')
const trend = Array.from({ length: 17 }, (_each, day) => ({
  ...{ from: new Date(first + day * dayMs).toISOString(), hours: 24, total: 18_468, joined: [] as string[] },
}))
const overview = { as_of: '2026-11-17T03:00:00Z', week: { before: 18_858, now: 18_234 }, trend, not_compared: [] }

test('the point a week ago has the value of the headline, not the mean of a UTC day', () => {
  expect(weekAgoPoint(overview)).toMatchObject({ total: 18_858, words: '7 days ago $18,858' })
})

test('the point is in the middle of its 24 hours, like the days of the trend', () => {
  expect(weekAgoPoint(overview)?.index).toBeCloseTo(8.125)
  expect(weekAgoPoint({ ...overview, as_of: '2026-11-17T00:00:00Z' })?.index).toBe(8)
})

test.each([
  ['no data exists', { week: null }],
  ['no hour is complete', { as_of: null }],
  ['a cluster has joined since', { trend: trend.map((day, at) => (at === 12 ? { ...day, joined: ['b'] } : day)) }],
  ['a cluster is in no comparison', { not_compared: ['b'] }],
  ['it is before the start of the trend', { trend: trend.slice(10) }],
])('there is no point if %s', (_why, over) => {
  expect(weekAgoPoint({ ...overview, ...over })).toBeNull()
})
