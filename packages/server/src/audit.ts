import type { AuditAction } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller } from './auth/caller.ts'
import { insertAuditEntry } from './db/audit.ts'
import type { Db } from './db/database.ts'
import type { Deps } from './deps.ts'
import { newId } from './ids.ts'

type TargetType =
  'cluster' | 'agent_token' | 'user' | 'role' | 'api_key' | 'session' | 'signing_key' | 'price_override' | 'price_book'

export type AuditedChange = {
  action: AuditAction
  target: { type: TargetType; id: string }
  /** Never a secret, and never the name of a cluster: deleting one must leave no name behind. */
  detail?: Record<string, unknown>
}

/** What the service does by itself has no request. */
export type Origin = Pick<FastifyRequest, 'caller' | 'ip' | 'id'> | 'system'

/** Records who did what, in the transaction of the change itself: both are there or neither is. */
export async function recordChange(deps: Deps, tx: Db, origin: Origin, change: AuditedChange): Promise<void> {
  await insertAuditEntry(tx, {
    id: newId('aud', deps.now()),
    at: deps.now(),
    ...(origin === 'system' ? nobody('system') : actorOf(origin.caller)),
    action: change.action,
    target: change.target,
    detail: change.detail ?? {},
    address: origin === 'system' ? null : origin.ip,
    request_id: origin === 'system' ? null : origin.id,
  })
}

function actorOf(caller: Caller | null) {
  if (caller === null) return nobody('anonymous')
  const actor =
    caller.kind === 'agent'
      ? { kind: caller.kind, id: caller.clusterId, email: null }
      : { kind: caller.kind, id: caller.userId, email: caller.email }
  return { actor, credential_id: caller.credentialId }
}

const nobody = (kind: 'system' | 'anonymous') => ({ actor: { kind, id: null, email: null }, credential_id: null })
