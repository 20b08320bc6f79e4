import { isDeepStrictEqual } from 'node:util'
import type { AuditAction, AuditTargetType } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../platform/auth/caller.ts'
import { insertAuditEntries, type NewAuditEntry } from './queries.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import { recordEvents, type EventKind, type NewEvent } from '../platform/events.ts'
import { newId } from '../platform/ids.ts'

export type AuditedChange = {
  action: AuditAction
  target: { type: AuditTargetType; id: string }
  /** Identifies the target after its deletion; never a secret. */
  detail?: Record<string, unknown>
}

/** Changes by the service itself have no request. */
export type Origin = Pick<FastifyRequest, 'caller' | 'ip' | 'id'> | 'system'

/** Records who did what, in the transaction of the change: both are written or neither is. */
export async function recordChange(deps: Deps, tx: Db, origin: Origin, change: AuditedChange): Promise<void> {
  await recordChanges(deps, tx, origin, [change])
}

export async function recordChanges(
  deps: Deps,
  tx: Db,
  origin: Origin,
  changes: readonly AuditedChange[],
): Promise<void> {
  const entries = changes.map(({ action, target, detail = {} }) => ({
    id: newId('aud', deps.now()),
    at: deps.now(),
    ...(origin === 'system' ? actorWithoutUser('system') : actorOf(origin.caller)),
    action,
    target,
    detail,
    address: origin === 'system' ? null : origin.ip,
    request_id: origin === 'system' ? null : origin.id,
  }))
  await insertAuditEntries(tx, entries)
  await recordEvents(tx, entries.flatMap(eventOf))
}

/** Changes of clusters, credentials and users are events too. Creating an agent token records its own event. */
const eventKinds = [
  'agent_token.revoke',
  'api_key.create',
  'api_key.revoke',
  'cluster.create',
  'cluster.delete',
  'role.create',
  'role.delete',
  'role.update',
  'signing_key.rotate',
  'user.accept_link',
  'user.change_password',
  'user.create',
  'user.delete',
  'user.make_link',
  'user.update',
] as const satisfies readonly (AuditAction & EventKind)[]

function eventOf({ id, at, action, target, detail }: NewAuditEntry): NewEvent[] {
  const kind = eventKinds.find((each) => each === action)
  if (kind === undefined) return []
  return [{ kind, at, clusterId: clusterIdOf(kind, target, detail), subject: target, data: { audit_id: id } }]
}

/** The purge removes all events of a cluster. The event of the deletion is about no cluster, so that readers still find it. */
function clusterIdOf(kind: EventKind, target: NewAuditEntry['target'], detail: NewAuditEntry['detail']): string | null {
  if (kind === 'cluster.create') return target.id
  return typeof detail.cluster_id === 'string' ? detail.cluster_id : null
}

function actorOf(caller: Caller | null) {
  if (caller === null) return actorWithoutUser('anonymous')
  const actor =
    caller.kind === 'agent'
      ? { kind: caller.kind, id: caller.clusterId, email: null }
      : { kind: caller.kind, id: caller.userId, email: caller.email }
  return { actor, credential_id: caller.credentialId }
}

/** The changed fields with their old and new values. */
export function changedFields<T extends object>(before: T, after: T): { before: Partial<T>; after: Partial<T> } {
  const names = (Object.keys(before) as (keyof T)[]).filter((name) => !isDeepStrictEqual(before[name], after[name]))
  const only = (of: T) => Object.fromEntries(names.map((name) => [name, of[name]])) as Partial<T>
  return { before: only(before), after: only(after) }
}

const actorWithoutUser = (kind: 'system' | 'anonymous') => ({
  actor: { kind, id: null, email: null },
  credential_id: null,
})
