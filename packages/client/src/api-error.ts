import type { ProblemCode } from '@plimsoll/contract'

/** The service refused a call, or did not answer. The message is the `detail` of the problem document. */
export class ApiError extends Error {
  /** 0: the service did not answer. */
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

/** Reads the problem document of an answer. A proxy may answer with something else. */
export async function errorOf(response: Response): Promise<ApiError> {
  const answer: unknown = await response.json().catch(() => ({}))
  const { code, detail, ...members } = (answer ?? {}) as { code?: ProblemCode; detail?: string }
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0)
  const message = detail ?? 'The request failed.'
  return new ApiError(response.status, code ?? 'internal_error', message, { ...members, retryAfterSeconds })
}
