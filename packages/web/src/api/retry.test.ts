import { expect, test } from 'vitest'
import { retryAfterMs, shouldRetry } from './retry.ts'
import { ApiError } from '@plimsoll/client'

const tooOften = (retryAfterSeconds: number) => new ApiError(429, 'rate_limited', 'Too many.', { retryAfterSeconds })

test('a rate-limited request is retried until it succeeds, each time after the wait that the service names', () => {
  expect(shouldRetry(0, tooOften(22))).toBe(true)
  expect(shouldRetry(50, tooOften(22))).toBe(true)
  expect(retryAfterMs(3, tooOften(22))).toBe(22_000)
})

test('a rate-limited request without a named wait is retried after ten seconds', () => {
  expect(retryAfterMs(0, tooOften(0))).toBe(10_000)
  expect(retryAfterMs(0, new ApiError(429, 'rate_limited', 'Too many.'))).toBe(10_000)
})

test('failed requests are retried once, client errors are not', () => {
  const failed = new ApiError(503, 'internal_error', 'Not now.')
  expect(shouldRetry(0, failed)).toBe(true)
  expect(shouldRetry(1, failed)).toBe(false)
  expect(shouldRetry(0, new ApiError(404, 'not_found', 'No such thing.'))).toBe(false)
})
