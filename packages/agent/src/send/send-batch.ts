import type { BatchAccepted } from '@plimsoll/contract'
import type { EncodedBatch } from '../shape/encode.ts'

export type Target = {
  /** Of the server, such as http://localhost:8080. */
  readonly url: string
  readonly token: string
  readonly random: { next(): number }
  readonly sleep: (seconds: number) => Promise<void>
  readonly fetch?: typeof fetch
  /** Default 8. */
  readonly attemptsMax?: number
}

export type SendResult =
  | { kind: 'accepted'; answer: BatchAccepted; attempts: number }
  /** Stored before under the same id with other bytes. */
  | { kind: 'conflict' }
  /** The cluster was deleted: there is nobody to send to any more. */
  | { kind: 'gone' }
  | { kind: 'too-large' }
  | { kind: 'refused'; status: number; detail: string }
  | { kind: 'unreachable'; attempts: number; detail: string }

type Attempt = { kind: 'again'; detail: string; waitSeconds?: number } | SendResult

const ATTEMPTS_MAX = 8
const WAIT_SECONDS_MAX = 60
const worthAnotherTry = new Set([408, 425, 429])

/** Sends one batch, again and again while that may help: as an agent does, which must not lose it. */
export async function sendBatch(batch: EncodedBatch, target: Target): Promise<SendResult> {
  const attemptsMax = target.attemptsMax ?? ATTEMPTS_MAX
  let detail = ''
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const result = await attemptOnce(batch, target, attempt)
    if (result.kind !== 'again') return result
    detail = result.detail
    if (attempt < attemptsMax) await target.sleep(result.waitSeconds ?? jitter(target.random, attempt))
  }
  return { kind: 'unreachable', attempts: attemptsMax, detail }
}

async function attemptOnce({ headers, body }: EncodedBatch, target: Target, attempts: number): Promise<Attempt> {
  const send = target.fetch ?? fetch
  try {
    const response = await send(`${target.url}/api/v1/agent/metrics`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
      body: body as Uint8Array<ArrayBuffer>,
    })
    return await judge(response, attempts)
  } catch (error) {
    return { kind: 'again', detail: error instanceof Error ? error.message : 'no connection' }
  }
}

async function judge(response: Response, attempts: number): Promise<Attempt> {
  const { status } = response
  if (status === 202) return { kind: 'accepted', answer: (await response.json()) as BatchAccepted, attempts }
  const detail = (await response.text()).slice(0, 1000)
  if (status === 409) return { kind: 'conflict' }
  if (status === 410) return { kind: 'gone' }
  if (status === 413) return { kind: 'too-large' }
  if (status < 500 && !worthAnotherTry.has(status)) return { kind: 'refused', status, detail }
  const waitSeconds = Number(response.headers.get('retry-after') ?? NaN)
  return { kind: 'again', detail: `${status} ${detail}`, ...(Number.isFinite(waitSeconds) ? { waitSeconds } : {}) }
}

/** Full jitter, so that a thousand agents do not come back at the same moment. */
function jitter(random: Target['random'], attempt: number): number {
  return random.next() * Math.min(WAIT_SECONDS_MAX, 2 ** attempt)
}
