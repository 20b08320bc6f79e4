import type { FastifyRequest } from 'fastify'
import type { Caller, UserCaller } from '../auth/caller.ts'

/** The gate has accepted the request, so there is a caller; anything else is a bug. */
export function requestCaller({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('a route without a caller needs one')
  return caller
}

export function requestUser(request: FastifyRequest): UserCaller {
  const caller = requestCaller(request)
  if (caller.kind === 'agent') throw new Error('a route that agents can call needs a user')
  return caller
}
