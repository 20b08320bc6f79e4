import { rateLimitWindowSeconds, routeAccess, type Access, type Route } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { identify, presentedCredential, type Presented } from '../auth/authenticate.ts'
import type { Caller } from '../auth/caller.ts'
import { countHit } from '../db/rate-limits.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { addressBlock } from '../address.ts'
import { enforceRate, rateHeaders, untouchedRate } from './rate-limit.ts'

/** What the contract says about a route; a route it does not know must not be served. */
export function accessOf(method: string, url: string): Access {
  const access: Access | undefined = routeAccess[`${method} ${url}` as Route]
  if (access === undefined) throw new Error(`route ${method} ${url} has no line in routeAccess`)
  return access
}

/**
 * Authenticate → count → authorise, before a byte of the body is read. Runs for addresses that do not exist too, so
 * that probing them is counted like any other request.
 */
export async function passGate(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { access } = request.routeOptions.config
  if (access === 'free') {
    reply.headers(rateHeaders(untouchedRate(deps.limits.address, deps.now())))
    return
  }
  if (access === 'anonymous') return countAgainst(deps, request, reply, 'login')

  const presented = await countedIfBad(deps, request, reply, async () => presentedCredential(request))
  request.caller = presented.kind === 'none' ? null : await authenticate(deps, request, reply, presented)
  if (request.caller === null) await countAgainst(deps, request, reply, 'address')
  if (access !== undefined) authorise(request, presented, access)
}

async function authenticate(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  presented: Exclude<Presented, { kind: 'none' }>,
): Promise<Caller> {
  const identified = await countedIfBad(deps, request, reply, async () => {
    const found = await identify(deps, presented)
    if (!found) throw unauthenticated('The credential is not known, has expired or was revoked.')
    return found
  })
  enforceRate(reply, deps.limits[identified.caller.kind], identified.hits)
  if (presented.kind === 'bearer' && presented.fromCookie) demandSameOrigin(deps, request)
  return identified.caller
}

/** Bad credentials are counted against the address they come from. */
async function countedIfBad<T>(deps: Deps, request: FastifyRequest, reply: FastifyReply, work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem) await countAgainst(deps, request, reply, 'address')
    throw error
  }
}

export async function countAgainst(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: 'address' | 'login',
): Promise<void> {
  const hits = await countHit(deps.db, `${bucket}:${addressBlock(request.ip)}`, rateLimitWindowSeconds)
  enforceRate(reply, deps.limits[bucket], hits)
}

function authorise({ caller }: FastifyRequest, presented: Presented, access: Access): void {
  if (caller === null) {
    const how = 'Sign in and send Authorization: Bearer, or send X-API-Key.'
    throw unauthenticated(presented.kind === 'none' ? `This needs a credential. ${how}` : how)
  }
  if (access === 'person' || access === 'caller') {
    const allowed = access === 'person' ? caller.kind === 'person' : caller.kind !== 'agent'
    if (!allowed) throw new Problem('credential_not_allowed', `A credential of kind '${caller.kind}' may not do this.`)
    return
  }
  if (access !== 'free' && access !== 'anonymous' && !caller.permissions.has(access)) {
    throw new Problem('forbidden', `This needs the permission ${access}.`, { members: { required_permission: access } })
  }
}

const unauthenticated = (detail: string) =>
  new Problem('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer realm="plimsoll"' } })

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser sends the cookie whoever wrote the page; only our own pages may write with it. */
function demandSameOrigin({ settings }: Deps, { method, headers, protocol, host }: FastifyRequest): void {
  const ours = [new URL(settings.publicUrl).origin, `${protocol}://${host}`]
  if (safeMethods.has(method) || ours.includes(headers.origin ?? '')) return
  throw new Problem('cross_site_request', 'A request that writes with the session cookie must come from our own pages.')
}
