import { problems, type ProblemCode } from '@plimsoll/contract'

const quotedLengthMax = 100

/** User input as part of a sentence: long enough to recognize it. */
export const quoted = (text: string) =>
  `'${text.length > quotedLengthMax ? `${text.slice(0, quotedLengthMax)}…` : text}'`

export type FieldError = { pointer?: string; parameter?: string; code: string; detail: string }

export type ProblemExtras = {
  errors?: FieldError[]
  /** Further members of the body, for programs: `required_permission`, `current_status` … */
  members?: Record<string, unknown>
  headers?: Record<string, string>
  /** Private: logged and never part of a response. */
  cause?: unknown
}

/**
 * An error that the caller can fix, or a state to know about. `detail` is written for the caller and quotes the input.
 */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly statusCode: number
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, { cause: extras.cause })
    this.code = code
    this.statusCode = problems[code].status
    this.extras = extras
  }
}

export function problemBody(problem: Problem, { instance, requestId }: { instance: string; requestId: string }) {
  const { status, title } = problems[problem.code]
  return {
    type: `/docs#problem-${problem.code}`,
    title,
    status,
    detail: problem.message,
    instance,
    code: problem.code,
    request_id: requestId,
    ...(problem.extras.errors ? { errors: problem.extras.errors } : {}),
    ...problem.extras.members,
  }
}
