import { expect, test } from 'vitest'
import { digestMessage, isDigestDue, lastDigestTime } from './digest.ts'

const at = (text: string) => new Date(`${text}:00Z`)
const monday = at('2026-11-16T07:00')

test.each([
  { now: '2026-11-16T06:59', time: '2026-11-09T07:00' },
  { now: '2026-11-16T07:00', time: '2026-11-16T07:00' },
  { now: '2026-11-22T23:59', time: '2026-11-16T07:00' },
])('the digest before $now is that of $time', ({ now, time }) => {
  expect(lastDigestTime(at(now))).toEqual(at(time))
})

test('a digest is sent once, on its Monday', () => {
  expect(isDigestDue(null, at('2026-11-16T07:01'))).toBe(true)
  expect(isDigestDue(monday, at('2026-11-16T07:16'))).toBe(false)
  expect(isDigestDue(at('2026-11-09T07:01'), at('2026-11-16T07:16'))).toBe(true)
  expect(isDigestDue(null, at('2026-11-18T07:00'))).toBe(false)
})

test('the digest names cost, alerts and the best recommendations', () => {
  const message = digestMessage(
    {
      runRateUsd: 1_234.5,
      bankableUsd: 200,
      alerts: ['a', 'b', 'c', 'd', 'e', 'f'],
      recommendations: [{ title: 'Remove 1 node', usdPerMonth: 120.4 }],
    },
    monday,
  )
  expect(message).toMatchObject({ title: 'Weekly digest, 2026-11-16', money: { amount: 1_234.5 } })
  expect(message.facts.map(({ value }) => value)).toEqual([
    ...['$200/month', '6', 'a', 'b', 'c', 'd', '2 more'],
    'Remove 1 node: $120/month',
  ])
})
