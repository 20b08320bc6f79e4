import { ApiError } from '@plimsoll/client'

/** The rate limit was exceeded; the service names the wait. */
export const isTooOften = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429

/** Client errors are not retried. */
const isRetryable = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** Rate-limited requests are retried until they succeed, other failures once. */
export const shouldRetry = (failures: number, error: Error) => isTooOften(error) || (failures < 1 && isRetryable(error))

export const retryAfterMs = (_failures: number, error: Error) =>
  isTooOften(error) ? 1000 * secondsToWait(error) : 1000

/** Ten seconds if the service names no wait. */
export const secondsToWait = ({ members }: ApiError) => Number(members.retryAfterSeconds) || 10
