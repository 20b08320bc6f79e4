import type { ProblemCode } from '@plimsoll/contract'

/** The service rejected a call, or did not respond. The message is the `detail` of the problem document. */
export class ApiError extends Error {
  /** 0: the service did not respond. */
  readonly status: number
  readonly code: ProblemCode | 'offline'
  readonly requestId: string | undefined
  /** All other members of the problem document, and `retryAfterSeconds`. */
  readonly members: Record<string, unknown>
  readonly at = new Date()

  constructor(status: number, code: ProblemCode | 'offline', detail: string, members: Record<string, unknown> = {}) {
    super(detail)
    this.status = status
    this.code = code
    this.requestId = typeof members.request_id === 'string' ? members.request_id : undefined
    this.members = members
  }
}

/** `Retry-After` is a number of seconds or a date. 0: not given. */
export function secondsUntil(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const seconds = Number(retryAfter)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(retryAfter)
  return Number.isNaN(at) ? 0 : Math.max(0, Math.ceil((at - now.getTime()) / 1000))
}

/** Reads the problem document of a response. A proxy may return something else. */
export async function errorOf(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => ({}))
  const { code, detail, ...members } = (answer ?? {}) as { code?: ProblemCode; detail?: string }
  const retryAfterSeconds = secondsUntil(response.headers.get('retry-after'), new Date())
  const message = detail ?? 'The request failed.'
  return new ApiError(response.status, code ?? 'internal_error', message, { ...members, retryAfterSeconds })
}
