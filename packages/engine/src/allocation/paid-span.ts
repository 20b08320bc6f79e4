import type { TimeSpan } from '../time.ts'

/** When things happened to a pod, in epoch seconds. A graceful deletion that has begun is no deletion yet. */
export type PodLife = {
  readonly boundAt?: number
  readonly succeededAt?: number
  readonly failedAt?: number
  readonly deletedAt?: number
}

export type PaidSpan = ({ kind: 'paid' } & TimeSpan) | { kind: 'unpaid'; reason: 'never-scheduled' }

/**
 * A pod holds its request from the moment it is bound to a node until it succeeded, failed or is gone: also while its image
 * cannot be pulled and while it waits between crashes. Before that, nothing is held and nothing is paid.
 */
export function paidSpan(life: PodLife, now: number): PaidSpan {
  if (life.boundAt === undefined) return { kind: 'unpaid', reason: 'never-scheduled' }
  const to = Math.min(now, life.succeededAt ?? now, life.failedAt ?? now, life.deletedAt ?? now)
  return { kind: 'paid', from: life.boundAt, to: Math.max(life.boundAt, to) }
}
