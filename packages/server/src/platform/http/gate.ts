import {
  isOpenToAnyone,
  operations,
  pageRouteAccess,
  routeAccess,
  type Access,
  type Operation,
  type Route,
} from '@plimsoll/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { identify, identifyAgain, presentedCredential, type Presented } from '../auth/authenticate.ts'
import { covers, type Caller } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { countHit } from './queries/request-counts.ts'
import type { Deps } from '../deps.ts'
import { Problem } from './problem.ts'
import { addressBlock, addressSite } from './address.ts'
import { enforceRate, rateHeaders, untouchedRate } from './enforce-rate-limit.ts'
import { requestCaller } from './request-caller.ts'

/** Gives every route of the app its access. A route outside the contract stops the start. */
export function requireAccess(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: accessOf(route) }
  })
}

function accessOf({ method, url, config }: RouteOptions): Access {
  const route = `${method === 'HEAD' ? 'GET' : String(method)} ${url}`
  const { operation } = config ?? {}
  const known: Readonly<Record<string, Operation>> = operations
  const isOperation = operation !== undefined && operation === known[operation.name] && operation.route === route
  if (!isOperation && !(route in pageRouteAccess))
    throw new Error(`route ${route} is neither an operation of the contract nor in pageRouteAccess`)
  return routeAccess[route as Route]
}

/**
 * Authenticates, counts and authorizes before the body is read. Also runs for unknown addresses, so that probing is
 * counted.
 */
export async function passGate(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { access, operation } = request.routeOptions.config
  if (access === 'probe') return passFreely(deps, reply)
  if (access === 'anonymous')
    return countAgainst(deps, request, reply, operation?.isRedirect === true ? 'redirect' : 'login')

  const presented = await countedIfBad(deps, request, reply, async () => presentedCredential(request))
  request.caller = presented.kind === 'none' ? null : await authenticate(deps, request, reply, presented)
  if (request.caller === null) await countAgainst(deps, request, reply, 'address')
  if (access === undefined) return
  if (request.caller === null) throw unauthenticated(needed(presented))
  authorise(request.caller, request)
}

/** Not counted. */
function passFreely(deps: Deps, reply: FastifyReply): void {
  reply.headers(rateHeaders(untouchedRate(deps.limits.address, deps.now())))
}

/**
 * The gate checks headers. The body may arrive much later, and a lock may take time. A caller who was logged out,
 * disabled, demoted or restricted meanwhile changes nothing. Takes no lock: two admins who change each other would
 * deadlock.
 */
export async function passGateAgain(deps: Deps, tx: Db, request: FastifyRequest): Promise<void> {
  const before = requestCaller(request)
  const now = await identifyAgain(tx, before, deps.now())
  if (!now) throw unauthenticated('The credential expired or was revoked during the request.')
  request.caller = now
  authorise(now, request)
  // Earlier checks of clusters and namespaces are valid only for the earlier part of the fleet.
  if (!covers(now, { ...before, permissions: new Set() })) {
    throw new Problem('role_narrowed', 'Your role changed during the request. Send the request again.')
  }
}

async function authenticate(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  presented: Exclude<Presented, { kind: 'none' }>,
): Promise<Caller> {
  const identified = await countedIfBad(deps, request, reply, async () => {
    const found = await identify(deps, presented)
    if (!found) throw unauthenticated(wrongHeader(presented) ?? 'The credential is invalid, expired or revoked.')
    return found
  })
  enforceRate(reply, deps.limits[identified.caller.kind], identified.hits)
  if (identified.isClusterDeleted === true) throw clusterGone()
  if (presented.kind === 'bearer' && presented.fromCookie) demandSameOrigin(deps, request)
  return identified.caller
}

/** Invalid credentials count against their address. */
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
  bucket: 'address' | 'login' | 'redirect',
): Promise<void> {
  const whence = bucket === 'address' ? addressBlock(request.ip) : addressSite(request.ip)
  const hits = await countHit(deps.db, `${bucket}:${whence}`)
  enforceRate(reply, deps.limits[bucket], hits)
}

/** The most common error with a valid credential. */
function wrongHeader({ kind, text }: Exclude<Presented, { kind: 'none' }>): string | undefined {
  if (kind === 'bearer' && text === '') return 'Authorization must be "Bearer", a space and the token.'
  if (kind === 'api_key' && text.startsWith('pla_')) return 'This is an agent token: send it as Authorization: Bearer.'
  return kind === 'api_key' && text.startsWith('eyJ')
    ? 'This is a sign-in token: send it as Authorization: Bearer.'
    : undefined
}

function needed({ kind }: Presented): string {
  const how = 'Sign in and send Authorization: Bearer, or send X-API-Key.'
  return kind === 'none' ? `This operation requires a credential. ${how}` : how
}

function authorise(caller: Caller, { routeOptions: { config } }: FastifyRequest): void {
  const { access, operation } = config
  if (access === undefined) return
  if (access === 'person' || access === 'caller') {
    const allowed = access === 'person' ? caller.kind === 'person' : caller.kind !== 'agent'
    if (!allowed) throw notAllowed(caller)
    return
  }
  if (!isOpenToAnyone(access) && !caller.permissions.has(access)) {
    throw new Problem('forbidden', `This operation requires the permission ${access}.`, {
      members: { required_permission: access },
    })
  }
  if (caller.teams !== null && operation?.narrowsToTeams !== true) throw limitedToTeams()
}

const limitedToTeams = () =>
  new Problem(
    'role_narrowed',
    'Your role is limited to some teams. This operation needs a role that covers the whole cluster.',
  )

const credentialNames = { person: 'A sign-in token', api_key: 'An API key', agent: 'An agent token' }

export const notAllowed = ({ kind }: Caller) =>
  new Problem('credential_not_allowed', `${credentialNames[kind]} is not accepted for this operation.`)

export const clusterGone = () =>
  new Problem('cluster_gone', 'The cluster of this agent was deleted. Uninstall the agent.')

const unauthenticated = (detail: string) =>
  new Problem('unauthenticated', detail, { headers: { 'www-authenticate': 'Bearer realm="plimsoll"' } })

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser sends the cookie for any page; only our own pages may write with it. */
function demandSameOrigin({ settings }: Deps, { method, headers, protocol, host }: FastifyRequest): void {
  const ours = [new URL(settings.publicUrl).origin, `${protocol}://${host}`]
  if (safeMethods.has(method) || ours.includes(headers.origin ?? '')) return
  throw new Problem('cross_site_request', 'A write request with the session cookie must come from the dashboard.')
}
