import type { ProblemCode } from '@plimsoll/contract'

/** What the service says when it cannot do what was asked, or that it did not answer at all. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ProblemCode | 'offline'
  readonly requestId: string | undefined
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

/** Somebody else was faster. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'precondition_failed'

type Body = Record<string, unknown>

export const getJson = <Answer>(path: string) => call<Answer>('GET', path)
export const postJson = <Answer>(path: string, body?: Body) => call<Answer>('POST', path, body)
/** With the tag of what was read it is refused when somebody else has changed that since. */
export const putJson = <Answer>(path: string, body: Body, etag?: string) => call<Answer>('PUT', path, body, etag)

/** The tag of what nobody had set. */
export const nothingSet = '"0-"'

export const patchJson = <Answer>(path: string, body: Body) => call<Answer>('PATCH', path, body)
export const deleteIt = (path: string) => call<undefined>('DELETE', path)
export const postForBytes = async (path: string, body: Body) => (await ask('POST', path, body)).blob()

/** Who wants to know that the session has ended; the shell does. */
const onSessionEnd = new Set<() => void>()

export function listenForSessionEnd(listener: () => void): () => void {
  onSessionEnd.add(listener)
  return () => onSessionEnd.delete(listener)
}

async function call<Answer>(method: string, path: string, body?: Body, etag?: string): Promise<Answer> {
  const response = await ask(method, path, body, etag)
  return response.status === 204 ? (undefined as Answer) : ((await response.json()) as Answer)
}

/** The session travels in a cookie that scripts cannot read; the browser revalidates what it has by ETag. */
async function ask(method: string, path: string, body?: Body, etag?: string): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(etag === undefined ? {} : { 'if-match': etag }),
    },
  }).catch(() => {
    throw new ApiError(0, 'offline', 'The service does not answer. The page shows the data loaded last.')
  })
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => ({}))
  const { code, detail, ...members } = answer as { code?: ProblemCode; detail?: string }
  const isLogIn = path.startsWith('/auth/login') || path.startsWith('/auth/accept')
  if (response.status === 401 && !isLogIn) for (const listener of onSessionEnd) listener()
  const retryAfter = Number(response.headers.get('retry-after') ?? 0)
  throw new ApiError(response.status, code ?? 'internal_error', detail ?? 'The request failed.', {
    ...members,
    retryAfterSeconds: retryAfter,
  })
}

/** Undefined and empty values are left out. */
export function withQuery(path: string, query: Record<string, string | number | boolean | undefined>): string {
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') asked.set(name, String(value))
  }
  const text = asked.toString()
  return text === '' ? path : `${path}?${text}`
}
