import { expect, test } from 'vitest'
import { Problem } from '../platform/http/problem.ts'
import { parseWindow, presentWindow, previousWindow, windowOneYearBefore, type WindowQuery } from './parse-window.ts'

const now = new Date('2026-03-11T14:25:10Z')

const shown = (query: WindowQuery, at = now) => {
  const { from, to, hours } = presentWindow(parseWindow(query, at))
  return [from.replace(':00:00.000Z', ''), to.replace(':00:00.000Z', ''), hours]
}

test.each<{ query: WindowQuery; expected: unknown[] }>([
  { query: {}, expected: ['2026-03-04T14', '2026-03-11T14', 168] },
  { query: { window: '24h' }, expected: ['2026-03-10T14', '2026-03-11T14', 24] },
  { query: { window: '30d' }, expected: ['2026-02-09T14', '2026-03-11T14', 720] },
  { query: { window: 'today' }, expected: ['2026-03-11T00', '2026-03-11T14', 14] },
  { query: { window: 'month' }, expected: ['2026-03-01T00', '2026-03-11T14', 10 * 24 + 14] },
  { query: { window: 'last_month' }, expected: ['2026-02-01T00', '2026-03-01T00', 28 * 24] },
  { query: { window: 'quarter' }, expected: ['2026-01-01T00', '2026-03-11T14', 69 * 24 + 14] },
  { query: { window: 'last_quarter' }, expected: ['2025-10-01T00', '2026-01-01T00', 92 * 24] },
  { query: { window: 'last_12_months' }, expected: ['2025-04-01T00', '2026-03-11T14', 344 * 24 + 14] },
  { query: { from: '2026-03-10T10:00:00Z' }, expected: ['2026-03-10T10', '2026-03-11T14', 28] },
  {
    query: { from: '2026-03-10T10:00:00Z', to: '2026-03-10T12:00:00Z' },
    expected: ['2026-03-10T10', '2026-03-10T12', 2],
  },
  {
    query: { from: '2026-03-10T10:59:59Z', to: '2026-03-10T11:00:01Z' },
    expected: ['2026-03-10T10', '2026-03-10T12', 2],
  },
  {
    query: { from: '2026-03-10T10:00:00+05:30', to: '2026-03-10T12:00:00+05:30' },
    expected: ['2026-03-10T04', '2026-03-10T07', 3],
  },
  {
    query: { from: '2031-01-01T00:00:00Z', to: '2031-01-02T00:00:00Z' },
    expected: ['2031-01-01T00', '2031-01-02T00', 24],
  },
])('$query is snapped outwards to full hours', ({ query, expected }) => {
  expect(shown(query)).toEqual(expected)
})

test('in the first hour of a day or month no hour is complete, and the window is empty', () => {
  const midnight = new Date('2026-03-01T00:59:59Z')
  expect(shown({ window: 'today' }, midnight)).toEqual(['2026-03-01T00', '2026-03-01T00', 0])
  expect(shown({ window: 'month' }, midnight)).toEqual(['2026-03-01T00', '2026-03-01T00', 0])
})

test('adjacent windows share no hour and leave none out', () => {
  const first = parseWindow({ from: '2026-03-01T00:00:00Z', to: '2026-03-04T05:00:00Z' }, now)
  const second = parseWindow({ from: '2026-03-04T05:00:00Z', to: '2026-03-09T00:00:00Z' }, now)
  expect(first.to).toEqual(second.from)
})

test.each<{ name: string; query: WindowQuery; parameter: string }>([
  { name: 'a name and a start', query: { window: '7d', from: '2026-03-01T00:00:00Z' }, parameter: 'window' },
  { name: 'an end without a start', query: { to: '2026-03-01T00:00:00Z' }, parameter: 'from' },
  {
    name: 'an end before its start',
    query: { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' },
    parameter: 'from',
  },
  {
    name: 'an end at its start',
    query: { from: '2026-03-02T00:00:00Z', to: '2026-03-02T00:00:00Z' },
    parameter: 'from',
  },
  { name: 'a start in the future without an end', query: { from: '2026-03-12T00:00:00Z' }, parameter: 'from' },
  {
    name: 'more than 400 days',
    query: { from: '2024-01-01T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    parameter: 'from',
  },
])('$name is no window', ({ query, parameter }) => {
  const attempt = () => parseWindow(query, now)
  expect(attempt).toThrow(Problem)
  expect(attempt).toThrow(expect.objectContaining({ extras: { errors: [expect.objectContaining({ parameter })] } }))
})

test.each<{ query: WindowQuery; expected: unknown[] }>([
  { query: { window: '7d' }, expected: ['2026-02-25T14', '2026-03-04T14'] },
  { query: { window: 'month' }, expected: ['2026-02-01T00', '2026-02-11T14'] },
  { query: { window: 'last_month' }, expected: ['2026-01-01T00', '2026-02-01T00'] },
  { query: { window: 'last_quarter' }, expected: ['2025-07-01T00', '2025-10-01T00'] },
  { query: { from: '2026-03-09T00:00:00Z', to: '2026-03-11T00:00:00Z' }, expected: ['2026-03-07T00', '2026-03-09T00'] },
])('the period before $query', ({ query, expected }) => {
  const { from, to } = presentWindow(previousWindow(parseWindow(query, now)))
  expect([from, to].map((iso) => iso.slice(0, 13))).toEqual(expected)
})

test.each([
  { window: 'month', now: '2026-03-31T20:00:00Z', from: '2026-01-29T04' },
  { window: 'month', now: '2026-03-28T20:00:00Z', from: '2026-02-01T00' },
  { window: 'quarter', now: '2026-06-30T20:00:00Z', from: '2025-12-31T04' },
] as const)('a running $window at $now is compared with as many hours', ({ window, now: at, from }) => {
  const now = parseWindow({ window }, new Date(at))
  const before = presentWindow(previousWindow(now))
  expect(before).toMatchObject({ from: `${from}:00:00.000Z`, hours: presentWindow(now).hours })
})

test('the same period one year earlier', () => {
  const { from, to } = windowOneYearBefore(parseWindow({ window: 'last_month' }, now))
  expect([from, to].map((at) => at.toISOString().slice(0, 13))).toEqual(['2025-02-01T00', '2025-03-01T00'])
})

test.each([
  { from: '2028-02-29T00', to: '2028-03-01T00', expected: ['2027-03-01T00', '2027-03-02T00'] },
  { from: '2028-02-20T00', to: '2028-03-21T00', expected: ['2027-02-20T00', '2027-03-22T00'] },
  { from: '2028-02-01T00', to: '2028-03-01T00', expected: ['2027-02-01T00', '2027-03-01T00'] },
])('one year before $from to $to in a leap year', ({ from, to, expected }) => {
  const window = parseWindow({ from: `${from}:00:00Z`, to: `${to}:00:00Z` }, new Date('2028-06-01T00:00:00Z'))
  const before = windowOneYearBefore(window)
  expect([before.from, before.to].map((at) => at.toISOString().slice(0, 13))).toEqual(expected)
})
