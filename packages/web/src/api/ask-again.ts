import { ApiError } from '@plimsoll/client'

/** The rate limit was exceeded; the service names the wait. */
export const isTooOften = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429

/** Client errors are not retried. */
const isWorthAskingAgain = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** Rate-limited requests are retried until they succeed, other failures once. */
export const shouldAskAgain = (failures: number, error: Error) =>
  isTooOften(error) || (failures < 1 && isWorthAskingAgain(error))

export const askAgainAfterMs = (_failures: number, error: Error) =>
  isTooOften(error) ? 1000 * secondsToWait(error) : 1000

/** Ten seconds if the service names no wait. */
export const secondsToWait = ({ members }: ApiError) => Number(members.retryAfterSeconds) || 10
