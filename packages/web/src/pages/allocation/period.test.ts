import { expect, test } from 'vitest'
import { daysText, periodQuery, periodText, zoomTo } from './period.ts'

const now = new Date('2026-11-18T00:00:00Z')

test('without parameters: 30 days by day, compared with the period before', () => {
  expect(periodQuery({})).toEqual({ window: '30d', compare: 'previous', trend: 'day' })
})

test('the last day of a custom period belongs to it', () => {
  expect(periodQuery({ from: '2026-10-20', to: '2026-11-16', against: 'year' })).toEqual({
    from: '2026-10-20T00:00:00.000Z',
    to: '2026-11-17T00:00:00.000Z',
    compare: 'year',
    trend: 'day',
  })
})

test('a period of up to two days is shown by hour', () => {
  expect(periodQuery({ from: '2026-11-16', to: '2026-11-17' })).toMatchObject({ trend: 'hour' })
  expect(periodQuery({ window: '24h', against: 'off' })).toEqual({ window: '24h', trend: 'hour' })
})

test('any other window to compare with; an invalid one is the period before', () => {
  const own = { against: 'custom', compare_from: '2026-09-01', compare_to: '2026-09-30' } as const
  expect(periodQuery(own)).toMatchObject({
    compare_from: '2026-09-01T00:00:00.000Z',
    compare_to: '2026-10-01T00:00:00.000Z',
  })
  expect(periodQuery({ ...own, compare_to: '2026-08-01' })).toMatchObject({ compare: 'previous' })
})

test('the period in words', () => {
  expect(periodText({ window: 'last_month' })).toBe('Last month')
  expect(periodText({ from: '2026-10-20', to: '2026-11-16' }, now)).toBe('20 Oct – 16 Nov')
  expect(daysText({ from: '2026-11-16T00:00:00Z', to: '2026-11-16T05:00:00Z' }, now)).toBe('16 Nov')
})

test('a period of another year has the year, and parts of days have hours', () => {
  const lastYear = { from: '2025-10-20T00:00:00Z', to: '2025-11-17T00:00:00Z' }
  expect(daysText(lastYear, now)).toBe('20 Oct 2025 – 16 Nov 2025')
  const day = { from: '2026-11-16T14:00:00Z', to: '2026-11-17T14:00:00Z' }
  expect(daysText(day, now)).toBe('16 Nov 14:00 – 17 Nov 14:00 UTC')
})

test('a drag over the chart selects whole days', () => {
  expect(zoomTo(['2026-11-01T05:00:00Z', '2026-11-02T00:00:00Z', '2026-11-03T00:00:00Z'], 0, 1)).toEqual({
    from: '2026-11-01',
    to: '2026-11-02',
  })
  expect(zoomTo([], 0, 1)).toBeNull()
})
