import { expect, test } from 'vitest'
import { nextTryAt, parseRetryAfter, triesPerRound } from './retry-schedule.ts'

const now = new Date('2026-03-01T12:00:00Z')
const hourMs = 3_600_000

/** The time of every try of a round, in milliseconds after the first one. */
function tryTimes(tries: number, triesMax: number): number[] {
  const times = [0]
  for (let done = tries; ; done += 1) {
    const last = new Date(now.getTime() + (times.at(-1) ?? 0))
    const next = nextTryAt({ tries: done, triesMax, retryAfterMs: undefined, now: last })
    if (!next) return times
    times.push(next.getTime() - now.getTime())
  }
}

test('ten tries in 75 hours and 35 minutes', () => {
  const times = tryTimes(1, triesPerRound)
  expect(times).toHaveLength(10)
  expect(times.slice(0, 3)).toEqual([0, 5_000, 305_000])
  expect(times.at(-1)).toBe(75 * hourMs + 35 * 60_000 + 5_000)
})

test('a redelivery has the same schedule', () => {
  expect(tryTimes(11, 10 + triesPerRound)).toEqual(tryTimes(1, triesPerRound))
  expect(tryTimes(1, 1)).toEqual([0])
})

test('Retry-After delays a try by at most a day, and never makes it earlier', () => {
  const at = (retryAfterMs: number) =>
    (nextTryAt({ tries: 1, triesMax: 10, retryAfterMs, now })?.getTime() ?? 0) - now.getTime()
  expect(at(1)).toBe(5_000)
  expect(at(60_000)).toBe(60_000)
  expect(at(1e15)).toBe(24 * hourMs)
})

test.each([
  ['120', 120_000],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', undefined],
  ['soon', undefined],
  ['-5', undefined],
  [undefined, undefined],
])('Retry-After %s means %s ms', (text, ms) => {
  expect(parseRetryAfter(text, now)).toBe(ms)
})
