import type { OperationAnswer, OperationInput, OperationName, OperationRoute } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import { ApiError, errorOf } from './api-error.ts'

/** `cookie`: the browser sends the session cookie of its origin. */
export type Credential = 'cookie' | { bearer: string } | { apiKey: string }

export type ClientOptions = {
  /** The URL of the service; default: the origin of the page. */
  baseUrl?: string
  /** A function for a credential that changes. */
  credential?: Credential | (() => Credential | undefined)
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Called for every failed call, before the caller gets the error. */
  onError?: (error: ApiError, operation: OperationName) => void
}

type CallOptions = {
  /** The ETag that was read: the service rejects the change if another user has edited the object since. */
  ifMatch?: string
  /** The service runs a POST with the same key once. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/** Optional if the operation needs no input. */
type Arguments<Name extends OperationName> =
  Record<never, never> extends OperationInput<Name>
    ? [input?: OperationInput<Name> & CallOptions]
    : [input: OperationInput<Name> & CallOptions]

export type Client = {
  readonly [Name in OperationName]: (...input: Arguments<Name>) => Promise<OperationAnswer<Name>>
} & {
  /** The whole response, for its bytes or headers. A failed call throws too. */
  readonly request: <Name extends OperationName>(name: Name, ...input: Arguments<Name>) => Promise<Response>
}

/** The possible fields of any input. */
type AnyInput = CallOptions & {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  headers?: Readonly<Record<string, string>>
  body?: unknown
}

export function createClient(options: ClientOptions = {}): Client {
  const request = (name: OperationName, input: AnyInput = {}) => ask(options, name, input, (response) => response)
  const functions = Object.keys(routes).map((name) => [
    name,
    (input?: AnyInput) => ask(options, name as OperationName, input ?? {}, contentOf),
  ])
  return { ...Object.fromEntries(functions), request } as Client
}

async function contentOf(response: Response): Promise<unknown> {
  if (response.status === 204) return null
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/json')) return response.json()
  if (type.startsWith('text/html')) throw new Error('a page instead of an answer of the API')
  return response.text()
}

/** `read` extracts the needed content. If the body is incomplete, the call has failed. */
async function ask<Content>(
  options: ClientOptions,
  name: OperationName,
  input: AnyInput,
  read: (response: Response) => Promise<Content> | Content,
): Promise<Content> {
  const { baseUrl = '', fetch: send = fetch, onError } = options
  try {
    const response = await send(baseUrl + addressOf(routes[name], input), initOf(options, routes[name], input))
    if (!response.ok) throw await errorOf(response)
    return await read(response)
  } catch (cause) {
    if (input.signal?.aborted === true) throw cause
    const error = cause instanceof ApiError ? cause : offline(cause)
    onError?.(error, name)
    throw error
  }
}

/** The address of an operation that a browser opens by itself, for a link. */
export const linkTo = (name: OperationName, query: Record<string, string>) => addressOf(routes[name], { query })

function addressOf(route: OperationRoute, { params = {}, query = {} }: AnyInput): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value))
  }
  const text = parameters.toString()
  return pathOf(route, params) + (text === '' ? '' : `?${text}`)
}

function initOf(options: ClientOptions, route: OperationRoute, input: AnyInput): RequestInit {
  const { body, headers, ifMatch, idempotencyKey, signal } = input
  const credential = typeof options.credential === 'function' ? options.credential() : options.credential
  const isBytes = body instanceof Uint8Array
  return {
    method: route.slice(0, route.indexOf(' ')),
    credentials: credential === 'cookie' ? 'same-origin' : 'omit',
    ...(signal === undefined ? {} : { signal }),
    ...(body === undefined ? {} : { body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    headers: {
      ...(body === undefined || isBytes ? {} : { 'content-type': 'application/json' }),
      ...credentialHeader(credential),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      ...headers,
    },
  }
}

function credentialHeader(credential: Credential | undefined): Record<string, string> {
  if (credential === undefined || credential === 'cookie') return {}
  return 'bearer' in credential ? { authorization: `Bearer ${credential.bearer}` } : { 'x-api-key': credential.apiKey }
}

function offline(cause: unknown): ApiError {
  const error = new ApiError(0, 'offline', 'The service does not respond.')
  error.cause = cause
  return error
}
