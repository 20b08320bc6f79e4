import type { FastifyRequest } from 'fastify'
import type { Caller } from './auth/caller.ts'
import { insertAuditEntry } from './db/audit.ts'
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
  | 'team_mapping'

export type AuditedChange = {
  action: string
  target: { type: TargetType; id: string }
  /** Never a secret, and never the name of a cluster: deleting one must leave no name behind. */
  detail?: Record<string, unknown>
}

/** Records who did what, in the transaction of the change itself: both are there or neither is. */
export async function recordChange(deps: Deps, tx: Db, request: FastifyRequest, change: AuditedChange): Promise<void> {
  await insertAuditEntry(tx, {
    id: newId('aud', deps.now()),
    at: deps.now(),
    ...actorOf(request.caller),
    action: change.action,
    target: change.target,
    detail: change.detail ?? {},
    address: request.ip,
    request_id: request.id,
  })
}

function actorOf(caller: Caller | null) {
  if (caller === null) return { actor: { kind: 'system' as const, id: null, email: null }, credential_id: null }
  const actor =
    caller.kind === 'agent'
      ? { kind: caller.kind, id: caller.clusterId, email: null }
      : { kind: caller.kind, id: caller.userId, email: caller.email }
  return { actor, credential_id: caller.credentialId }
}
