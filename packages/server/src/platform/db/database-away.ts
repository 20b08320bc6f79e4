/**
 * SQLSTATE classes and codes of an unavailable, full or overloaded database, or one that shuts down: a retry may help.
 */
const passingStates = /^(08|53|40001$|40P01$|57014$|57P0[1-5]$)/
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
])
const driverMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/

export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway)
  if (!(error instanceof Error)) return false
  const code = codeOf(error)
  return networkCodes.has(code) || passingStates.test(code) || driverMessages.test(error.message)
}

/** The database is available, but a query exceeded the statement timeout. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '57014' && error.message.includes('statement timeout')

/** The PostgreSQL code, and the file system codes. A retry helps only after space is freed. */
const fullCodes = new Set(['53100', 'ENOSPC', 'EDQUOT'])

export const isDiskFull = (error: unknown): boolean => error instanceof Error && fullCodes.has(codeOf(error))

const codeOf = (error: Error) => ('code' in error && typeof error.code === 'string' ? error.code : '')
