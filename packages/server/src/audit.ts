import type { FastifyRequest } from 'fastify'
import type { Caller } from './auth/caller.ts'
import { insertAuditEntries } from './db/audit.ts'
import type { Db } from './db/database.ts'
import type { Deps } from './deps.ts'
import { newId } from './ids.ts'

type TargetType =
  | 'cluster'
  | 'agent_token'
  | 'user'
  | 'role'
  | 'api_key'
  | 'session'
  | 'signing_key'
  | 'price_override'
  | 'price_book'
  | 'recommendation'
  | 'policy'

export type AuditedChange = {
  action: string
  target: { type: TargetType; id: string }
  /** Never a secret, and never the name of a cluster: deleting one must leave no name behind. */
  detail?: Record<string, unknown>
}

/** Records who did what, in the transaction of the change itself: both are there or neither is. */
export async function recordChange(deps: Deps, tx: Db, request: FastifyRequest, change: AuditedChange): Promise<void> {
  await recordChanges(deps, tx, request, [change])
}

export async function recordChanges(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  changes: readonly AuditedChange[],
): Promise<void> {
  const entries = changes.map(({ action, target, detail = {} }) => ({
    id: newId('aud', deps.now()),
    at: deps.now(),
    ...actorOf(request.caller),
    action,
    target,
    detail,
    address: request.ip,
    request_id: request.id,
  }))
  await insertAuditEntries(tx, entries)
}

function actorOf(caller: Caller | null) {
  if (caller === null) return { actor: { kind: 'system' as const, id: null, email: null }, credential_id: null }
  const actor =
    caller.kind === 'agent'
      ? { kind: caller.kind, id: caller.clusterId, email: null }
      : { kind: caller.kind, id: caller.userId, email: caller.email }
  return { actor, credential_id: caller.credentialId }
}
