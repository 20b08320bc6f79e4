import { text } from './lines.ts'

/** How the API server is asked. Streams, so that nobody holds more than a page. */
export type ApiClient = {
  get: (path: string, query: Record<string, string>, signal: AbortSignal, accept?: string) => Promise<ApiAnswer>
}

export type ApiAnswer = {
  status: number
  /** Seconds, as the server asks. */
  retryAfter: number | undefined
  body: AsyncIterable<Uint8Array>
}

/** What somebody answered instead of what was asked for. */
export class ApiError extends Error {
  readonly status: number
  readonly retryAfter: number | undefined

  constructor(status: number, detail: string, { who = 'the API server', retryAfter }: ApiErrorOptions = {}) {
    super(`${who} answered ${status}${detail === '' ? '' : `: ${detail}`}`)
    this.status = status
    this.retryAfter = retryAfter
  }
}

type ApiErrorOptions = { who?: string; retryAfter?: number | undefined }

/** An answer that is not what was asked for, as an error that says it in the words of whoever answered. */
export async function refusal({ status, retryAfter, body }: ApiAnswer, who?: string): Promise<ApiError> {
  return new ApiError(status, saidIn(await text(body)), { retryAfter, ...(who === undefined ? {} : { who }) })
}

/** The sentence in a JSON answer, as Kubernetes and Prometheus write them; or its beginning as it is. */
export function saidIn(answer: string): string {
  const { message, error } = parsed(answer)
  const said = [message, error].filter((each) => typeof each === 'string').find((each) => each !== '') ?? answer
  return said.trim().slice(0, detailLengthMax)
}

const detailLengthMax = 300

function parsed(answer: string): { message?: unknown; error?: unknown } {
  try {
    const value: unknown = JSON.parse(answer)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The resource version that was asked for is gone: everything has to be listed anew. */
export const GONE = 410
/** The login is missing or not accepted. */
export const UNAUTHORIZED = 401
/** The login is accepted, and the right is missing. */
export const FORBIDDEN = 403
export const NOT_FOUND = 404
