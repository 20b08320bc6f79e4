import { text } from './lines.ts'

/** A client of the API server. Responses are streams, so that at most a page is in memory. */
export type ApiClient = {
  get: (path: string, query: Record<string, string>, signal: AbortSignal, accept?: string) => Promise<ApiAnswer>
}

export type ApiAnswer = {
  status: number
  /** The Retry-After of the server in seconds. */
  retryAfter: number | undefined
  body: AsyncIterable<Uint8Array>
}

/** An error response. */
export class ApiError extends Error {
  readonly status: number
  readonly retryAfter: number | undefined

  constructor(status: number, detail: string, { source = 'the API server', retryAfter }: ApiErrorOptions = {}) {
    super(`${source} answered ${status}${detail === '' ? '' : `: ${detail}`}`)
    this.status = status
    this.retryAfter = retryAfter
  }
}

type ApiErrorOptions = { source?: string; retryAfter?: number | undefined }

/** Converts an error response into an error with the text of the response. */
export async function refusal({ status, retryAfter, body }: ApiAnswer, source?: string): Promise<ApiError> {
  return new ApiError(status, messageIn(await text(body)), { retryAfter, ...(source === undefined ? {} : { source }) })
}

/** The message of a JSON response of Kubernetes or Prometheus, or the beginning of another text. */
export function messageIn(answer: string): string {
  const { message, error } = parsed(answer)
  const detail = [message, error].filter((each) => typeof each === 'string').find((each) => each !== '') ?? answer
  return detail.trim().slice(0, detailLengthMax)
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

/** The requested resource version is too old, so everything must be listed again. */
export const GONE = 410
/** The login is missing or rejected. */
export const UNAUTHORIZED = 401
/** The login is accepted, but the permission is missing. */
export const FORBIDDEN = 403
export const NOT_FOUND = 404
