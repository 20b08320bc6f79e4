import type { BatchAccepted } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import type { EncodedBatch } from '../shape/encode.ts'

export type Answer =
  | { kind: 'accepted'; answer: BatchAccepted }
  /** The server may accept it later: there was no response, or a server error. */
  | { kind: 'again'; detail: string; waitSeconds?: number }
  /** The sequence number already has a batch with other bytes. */
  | { kind: 'conflict' }
  /** The cluster was deleted on the server. */
  | { kind: 'gone' }
  | { kind: 'too-large' }
  | { kind: 'refused'; status: number; code: string; detail: string }

export type Post = {
  /** The server URL, such as http://localhost:8080. */
  readonly url: string
  readonly token: string
  readonly fetch?: typeof fetch
  readonly signal?: AbortSignal
}

const worthAnotherTry = new Set([408, 425, 429])

/** Sends one batch once and interprets the response. */
export async function postBatch(
  { headers, body }: EncodedBatch,
  { url, token, signal, ...post }: Post,
): Promise<Answer> {
  const send = post.fetch ?? fetch
  try {
    const response = await send(url + pathOf(routes.submitMetrics, {}), {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: body as Uint8Array<ArrayBuffer>,
      // A redirected POST would become a GET.
      redirect: 'manual',
      ...(signal ? { signal } : {}),
    })
    return await judge(response)
  } catch (error) {
    return { kind: 'again', detail: reasonOf(error) }
  }
}

async function judge(response: Response): Promise<Answer> {
  const { status } = response
  if (status === 202) return { kind: 'accepted', answer: (await response.json()) as BatchAccepted }
  const location = response.headers.get('location')
  const text = (await response.text()).slice(0, 1000)
  const { code, problemDetail = text } = problemIn(text)
  const detail = status >= 300 && status < 400 && location ? `redirect to ${location.slice(0, 200)}` : problemDetail
  if (status === 410) return { kind: 'gone' }
  if (status === 413) return { kind: 'too-large' }
  if (status === 409 && code !== 'cluster_identity_mismatch') return { kind: 'conflict' }
  if (status < 500 && !worthAnotherTry.has(status)) return { kind: 'refused', status, code, detail }
  const waitSeconds = Number(response.headers.get('retry-after') ?? NaN)
  return { kind: 'again', detail: `${status} ${detail}`, ...(waitSeconds >= 0 ? { waitSeconds } : {}) }
}

/** Reads the problem of a response. A proxy may have answered instead of the server. */
function problemIn(text: string): { code: string; problemDetail?: string } {
  try {
    const { code, detail } = (JSON.parse(text) ?? {}) as { code?: unknown; detail?: unknown }
    return {
      code: typeof code === 'string' ? code : '',
      ...(typeof detail === 'string' ? { problemDetail: detail } : {}),
    }
  } catch {
    return { code: '' }
  }
}

/** The cause of a fetch error has the details. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no connection'
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

const WAIT_SECONDS_MAX = 60

/** Full jitter, so that many agents do not retry at the same time. */
export function jitterSeconds(random: number, attempt: number, secondsMax = WAIT_SECONDS_MAX): number {
  return random * Math.min(secondsMax, 2 ** attempt)
}

const retryAfterSecondsMax = 300

/** The wait of the server, limited and with jitter. */
export function retryAfterSeconds(random: number, seconds: number): number {
  return Math.min(retryAfterSecondsMax, Math.max(1, seconds) * (1 + random / 10))
}
