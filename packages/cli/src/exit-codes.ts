import { ApiError } from '@plimsoll/client'

/** `policy` is the result of `check`. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  policy: 3,
  notAllowed: 4,
  unreachable: 5,
  incomplete: 6,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An error with a message for the user. */
export class CliError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

export const usageError = (message: string): CliError => new CliError(message, exitCodes.usage)

const unreachableStatuses = [0, 502, 503, 504]
const notAllowedStatuses = [401, 403]
const usageStatuses = [400, 422]

export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CliError) return error.exitCode
  if (!(error instanceof ApiError)) return exitCodes.failed
  if (unreachableStatuses.includes(error.status)) return exitCodes.unreachable
  if (notAllowedStatuses.includes(error.status)) return exitCodes.notAllowed
  return usageStatuses.includes(error.status) ? exitCodes.usage : exitCodes.failed
}

export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const request = error.requestId === undefined ? '' : ` (request ${error.requestId})`
  const cause = error.status === 0 ? causeOf(error.cause) : ''
  return `${error.message}${cause}${request}`
}

/** `fetch` reports the failed connection as the cause of its error. */
function causeOf(cause: unknown): string {
  if (!(cause instanceof Error)) return ''
  const { cause: inner } = cause
  const message = inner instanceof Error ? inner.message : cause.message
  return message === '' ? '' : ` ${message}`
}
