import type { TimeSpan } from '../time.ts'

/** Times in the life of a pod, in epoch seconds. A pending graceful deletion does not count as deleted. */
export type PodLife = {
  readonly boundAt?: number
  readonly succeededAt?: number
  readonly failedAt?: number
  readonly deletedAt?: number
}

export type PaidSpan = ({ kind: 'paid' } & TimeSpan) | { kind: 'unpaid'; reason: 'never-scheduled' }

/**
 * A pod holds its request from binding to a node until it succeeds, fails or is deleted. This includes image pull
 * errors and crash back-off. A pod that is not bound pays nothing.
 */
export function paidSpan(life: PodLife, now: number): PaidSpan {
  if (life.boundAt === undefined) return { kind: 'unpaid', reason: 'never-scheduled' }
  const to = Math.min(now, life.succeededAt ?? now, life.failedAt ?? now, life.deletedAt ?? now)
  return { kind: 'paid', from: life.boundAt, to: Math.max(life.boundAt, to) }
}
