import { agentPermissions, type Permission } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { findAgent, findKey, findPerson, isTokenOfDeletedCluster } from '../db/callers.ts'
import type { Hits } from '../db/rate-limits.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import type { Caller } from './caller.ts'
import { parseCredential } from './credential-text.ts'

export const sessionCookie = 'plimsoll_session'

export type Presented =
  { kind: 'none' } | { kind: 'bearer'; text: string; fromCookie: boolean } | { kind: 'key'; text: string }

/** Which credential the request carries. A header beats the cookie; nothing is ever read from the address. */
export function presentedCredential(request: FastifyRequest): Presented {
  const { authorization, 'x-api-key': apiKey } = request.headers
  if (authorization !== undefined && apiKey !== undefined) {
    throw new Problem('conflicting_credentials', 'Send either Authorization or X-API-Key, not both.')
  }
  if (typeof apiKey === 'string') return { kind: 'key', text: apiKey }
  if (authorization !== undefined) {
    const token = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1]
    return { kind: 'bearer', text: token ?? '', fromCookie: false }
  }
  const cookie = request.cookies[sessionCookie]
  return cookie === undefined ? { kind: 'none' } : { kind: 'bearer', text: cookie, fromCookie: true }
}

export type Identified = { caller: Caller; hits: Hits }

/** Undefined when nobody we know presents it now; the request was counted if and only if somebody does. */
export function identify(deps: Deps, presented: Exclude<Presented, { kind: 'none' }>): Promise<Identified | undefined> {
  if (presented.kind === 'key') return identifyKey(deps, presented.text)
  return presented.text.startsWith('pla_') && !presented.fromCookie
    ? identifyAgent(deps, presented.text)
    : identifyPerson(deps, presented.text)
}

async function identifyPerson(deps: Deps, token: string): Promise<Identified | undefined> {
  const claims = await deps.tokens.verify(token)
  if (!claims) return undefined
  const row = await findPerson(deps.db, { ...claims, now: deps.now() })
  if (!row) return undefined
  const { hits, resetsAt, resetsInSeconds, permissions, ...user } = row
  const credential = { credentialId: claims.sessionId, credentialExpiresAt: claims.expiresAt }
  return {
    caller: { kind: 'person', ...user, permissions: new Set(permissions), ...credential },
    hits: { hits, resetsAt, resetsInSeconds },
  }
}

async function identifyKey(deps: Deps, text: string): Promise<Identified | undefined> {
  const credential = parseCredential(text)
  if (credential?.kind !== 'plk') return undefined
  const row = await findKey(deps.db, {
    keyId: `key_${credential.id}`,
    mac: deps.secrets.mac(credential.secret),
    now: deps.now(),
  })
  if (!row) return undefined
  const { hits, resetsAt, resetsInSeconds, permissions, scopes, keyId, expiresAt, ...user } = row
  const caller: Caller = {
    kind: 'key',
    ...user,
    permissions: scoped(permissions, scopes),
    credentialId: keyId,
    credentialExpiresAt: expiresAt,
  }
  return { caller, hits: { hits, resetsAt, resetsInSeconds } }
}

/** A key never holds more than its user holds now, whatever it was made with. */
function scoped(permissions: Permission[], scopes: Permission[] | null): Set<Permission> {
  return new Set(scopes === null ? permissions : permissions.filter((permission) => scopes.includes(permission)))
}

async function identifyAgent(deps: Deps, text: string): Promise<Identified | undefined> {
  const credential = parseCredential(text)
  if (!credential) return undefined
  const tokenId = `agt_${credential.id}`
  const row = await findAgent(deps.db, { tokenId, mac: deps.secrets.mac(credential.secret), now: deps.now() })
  if (!row && (await isTokenOfDeletedCluster(deps.db, tokenId))) {
    throw new Problem('cluster_gone', 'The cluster of this agent was deleted; the agent can stop.')
  }
  if (!row) return undefined
  const { hits, resetsAt, resetsInSeconds, clusterId } = row
  const caller: Caller = {
    kind: 'agent',
    clusterId,
    credentialId: tokenId,
    permissions: new Set(agentPermissions),
    clusters: [clusterId],
    namespaces: null,
  }
  return { caller, hits: { hits, resetsAt, resetsInSeconds } }
}
