import type { BatchAccepted } from '@plimsoll/contract'
import type { EncodedBatch } from '../shape/encode.ts'
import { jitterSeconds, postBatch, type Answer, type Post } from './post-batch.ts'

export type Target = Omit<Post, 'signal'> & {
  readonly random: { next(): number }
  readonly sleep: (seconds: number) => Promise<void>
  /** Default 8. */
  readonly attemptsMax?: number
}

export type SendResult =
  | { kind: 'accepted'; answer: BatchAccepted; attempts: number }
  | Exclude<Answer, { kind: 'accepted' | 'again' }>
  | { kind: 'unreachable'; attempts: number; detail: string }

const ATTEMPTS_MAX = 8

/** Sends one batch with retries, for modes without a disk queue. */
export async function sendBatch(batch: EncodedBatch, target: Target): Promise<SendResult> {
  const attemptsMax = target.attemptsMax ?? ATTEMPTS_MAX
  let detail = ''
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const result = await postBatch(batch, target)
    if (result.kind === 'accepted') return { ...result, attempts: attempt }
    if (result.kind !== 'again') return result
    detail = result.detail
    if (attempt < attemptsMax) await target.sleep(result.waitSeconds ?? jitterSeconds(target.random.next(), attempt))
  }
  return { kind: 'unreachable', attempts: attemptsMax, detail }
}
