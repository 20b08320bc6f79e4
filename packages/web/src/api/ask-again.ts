import { ApiError } from './client.ts'

/** Somebody asked too often: it gets right by waiting as long as the service says. */
export const isTooOften = (error: unknown): error is ApiError => error instanceof ApiError && error.status === 429

/** What the caller got wrong does not get right by asking again. */
const isWorthAskingAgain = (error: Error) => !(error instanceof ApiError) || error.status === 0 || error.status >= 500

/** Too often: as many times as it takes, for nothing is wrong. Whatever else may pass: once. */
export const shouldAskAgain = (failures: number, error: Error) =>
  isTooOften(error) || (failures < 1 && isWorthAskingAgain(error))

export const askAgainAfterMs = (_failures: number, error: Error) =>
  isTooOften(error) ? 1000 * secondsToWait(error) : 1000

/** Without a word of the service, ten: none at all would ask without an end. */
export const secondsToWait = ({ members }: ApiError) => Number(members.retryAfterSeconds) || 10
