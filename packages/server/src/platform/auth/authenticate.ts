import { agentPermissions, type Permission } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import {
  findAgent,
  findAgentAgain,
  findAgentOfDeletedCluster,
  findKey,
  findKeyAgain,
  findPerson,
  findPersonAgain,
  type AgentRow,
  type KeyRow,
  type PersonRow,
} from './queries/callers.ts'
import type { Db } from '../db/database.ts'
import type { Hits } from '../http/queries/request-counts.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../http/problem.ts'
import type { Caller } from './caller.ts'
import { parseCredential, storedText } from './credential-text.ts'

export const sessionCookie = 'plimsoll_session'

export type Presented =
  { kind: 'none' } | { kind: 'bearer'; text: string; fromCookie: boolean } | { kind: 'api_key'; text: string }

/** The credential of the request. A header takes precedence over the cookie; the address never contains one. */
export function presentedCredential(request: FastifyRequest): Presented {
  const { authorization, 'x-api-key': apiKey } = request.headers
  if (authorization !== undefined && apiKey !== undefined) {
    throw new Problem('conflicting_credentials', 'Send either Authorization or X-API-Key, not both.')
  }
  if (typeof apiKey === 'string') return { kind: 'api_key', text: apiKey }
  if (authorization !== undefined) {
    const token = /^Bearer +([^ ]+) *$/i.exec(authorization)?.[1] ?? ''
    // Prometheus, Grafana and MCP clients cannot send X-API-Key.
    return token.startsWith('plk_')
      ? { kind: 'api_key', text: token }
      : { kind: 'bearer', text: token, fromCookie: false }
  }
  const cookie = request.cookies[sessionCookie]
  return cookie === undefined ? { kind: 'none' } : { kind: 'bearer', text: cookie, fromCookie: true }
}

export type Identified = { caller: Caller; hits: Hits; isClusterDeleted?: boolean }

/** Undefined for an unknown credential; the request is counted only for a known one. */
export function identify(deps: Deps, presented: Exclude<Presented, { kind: 'none' }>): Promise<Identified | undefined> {
  if (presented.kind === 'api_key') return identifyKey(deps, presented.text)
  return presented.text.startsWith('pla_') && !presented.fromCookie
    ? identifyAgent(deps, presented.text)
    : identifyPerson(deps, presented.text)
}

/** The current caller, or undefined if their credential has ended since the check. Counts nothing. */
export async function identifyAgain(tx: Db, caller: Caller, now: Date): Promise<Caller | undefined> {
  if (caller.kind === 'agent') {
    const row = await findAgentAgain(tx, { tokenId: caller.credentialId, now })
    return row && agentCaller(row)
  }
  if (caller.kind === 'api_key') {
    const row = await findKeyAgain(tx, { keyId: caller.credentialId, now })
    return row && keyCaller(row)
  }
  const { credentialId: sessionId, credentialExpiresAt: expiresAt, userId } = caller
  if (expiresAt !== null && expiresAt <= now) return undefined
  const row = await findPersonAgain(tx, { sessionId, userId, now })
  return row && personCaller(row, sessionId, expiresAt)
}

async function identifyPerson(deps: Deps, token: string): Promise<Identified | undefined> {
  const claims = await deps.tokens.verify(token)
  if (!claims) return undefined
  const row = await findPerson(deps.db, { ...claims, now: deps.now() })
  return row && { caller: personCaller(row, claims.sessionId, claims.expiresAt), hits: hitsOf(row) }
}

async function identifyKey(deps: Deps, text: string): Promise<Identified | undefined> {
  const credential = parseCredential(text)
  if (credential?.kind !== 'plk') return undefined
  const row = await findKey(deps.db, {
    keyId: `key_${credential.id}`,
    mac: deps.secrets.mac(storedText('plk', credential.secret)),
    now: deps.now(),
  })
  return row && { caller: keyCaller(row), hits: hitsOf(row) }
}

async function identifyAgent(deps: Deps, text: string): Promise<Identified | undefined> {
  const credential = parseCredential(text)
  if (!credential) return undefined
  const tokenId = `agt_${credential.id}`
  const mac = deps.secrets.mac(storedText('pla', credential.secret))
  const row = await findAgent(deps.db, { tokenId, mac, now: deps.now() })
  if (row) return { caller: agentCaller(row), hits: hitsOf(row) }
  const deleted = await findAgentOfDeletedCluster(deps.db, { tokenId, mac })
  return deleted && { caller: agentCaller(deleted), hits: hitsOf(deleted), isClusterDeleted: true }
}

const hitsOf = ({ hits, resetsAt, resetsInSeconds }: Hits): Hits => ({ hits, resetsAt, resetsInSeconds })

const personCaller = (row: PersonRow, sessionId: string, expiresAt: Date | null): Caller => ({
  ...userOf(row),
  kind: 'person',
  permissions: new Set(row.permissions),
  credentialId: sessionId,
  credentialExpiresAt: expiresAt,
})

const keyCaller = (row: KeyRow): Caller => ({
  ...userOf(row),
  kind: 'api_key',
  permissions: scoped(row.permissions, row.scopes),
  credentialId: row.keyId,
  credentialExpiresAt: row.expiresAt,
})

const agentCaller = ({ tokenId, clusterId }: AgentRow): Caller => ({
  kind: 'agent',
  clusterId,
  credentialId: tokenId,
  permissions: new Set(agentPermissions),
  clusters: [clusterId],
  namespaces: null,
  teams: null,
})

const userOf = ({ userId, email, role, clusters, namespaces, teams }: PersonRow) => ({
  userId,
  email,
  role,
  clusters,
  namespaces,
  teams,
})

/** A key never has more permissions than its user has now. */
function scoped(permissions: Permission[], scopes: Permission[] | null): Set<Permission> {
  return new Set(scopes === null ? permissions : permissions.filter((permission) => scopes.includes(permission)))
}
