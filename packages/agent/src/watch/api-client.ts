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

/** What the API server answered instead of what was asked for. */
export class ApiError extends Error {
  readonly status: number
  readonly retryAfter: number | undefined

  constructor(status: number, detail: string, retryAfter?: number) {
    super(`the API server answered ${status}: ${detail}`)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** The resource version that was asked for is gone: everything has to be listed anew. */
export const GONE = 410
