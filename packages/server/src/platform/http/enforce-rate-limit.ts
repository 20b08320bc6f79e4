import { rateLimitWindowSeconds } from '@plimsoll/contract'
import type { FastifyReply } from 'fastify'
import type { Hits } from './queries/request-counts.ts'
import { Problem } from './problem.ts'

export type RateState = { limit: number; remaining: number; resetEpochSeconds: number }

export const rateState = (limit: number, { hits, resetsAt }: Hits): RateState => ({
  limit,
  remaining: Math.max(0, limit - hits),
  resetEpochSeconds: Math.ceil(resetsAt.getTime() / 1000),
})

/** For answers that consume nothing: a window that has not been opened. */
export const untouchedRate = (limit: number, now: Date): RateState => ({
  limit,
  remaining: limit,
  resetEpochSeconds: Math.ceil(now.getTime() / 1000) + rateLimitWindowSeconds,
})

/** Without a database no request is counted, and none is served. */
export const exhaustedRate = (limit: number, now: Date): RateState => ({ ...untouchedRate(limit, now), remaining: 0 })

export function rateHeaders({ limit, remaining, resetEpochSeconds }: RateState): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetEpochSeconds),
  }
}

/** Shows the state on the answer and refuses the request that is over the limit. */
export function enforceRate(reply: FastifyReply, limit: number, hits: Hits): void {
  reply.headers(rateHeaders(rateState(limit, hits)))
  if (hits.hits > limit) throw tooManyRequests(limit, hits)
}

export function tooManyRequests(limit: number, { resetsInSeconds: seconds }: Hits): Problem {
  const detail = `More than ${limit} requests in ${rateLimitWindowSeconds} seconds. Try again in ${seconds} s.`
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(seconds) } })
}
