import { Type, type Static } from 'typebox'
import { auditTargetTypes } from '../audit-actions.ts'
import { Closed, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

export const AuditEntry = Type.Object(
  {
    id: Type.String({ examples: ['aud_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    at: Timestamp,
    actor: Type.Object({
      kind: Type.Unsafe<'person' | 'api_key' | 'agent' | 'system' | 'anonymous'>({
        type: 'string',
        enum: ['person', 'api_key', 'agent', 'system', 'anonymous'],
        description: '`system`: the service itself; `anonymous`: not signed in',
      }),
      id: Nullable(Type.String()),
      email: Nullable(Type.String()),
    }),
    credential_id: Nullable(Type.String(), 'ID of the session, API key or agent token'),
    api_key_name: Nullable(Type.String(), 'Name of the API key, even if revoked since'),
    action: Type.String({ examples: ['cluster.create'] }),
    target: Type.Object({ type: Type.String(), id: Type.String() }),
    detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    address: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
  },
  { title: 'AuditEntry' },
)

const several = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: `${description}; several comma-separated` }))

export const auditPageSize = { max: 500, default: 100 }

export const ListAuditQuery = Closed({
  ...pageQuery(auditPageSize.max, auditPageSize.default),
  actor_id: several('ID of a user, or of a cluster for its agents'),
  action: several('Audit action'),
  target_type: several(`One of ${auditTargetTypes.join(', ')}`),
  target_id: several('ID of the changed resource'),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'RFC 3339, UTC; exclusive' })),
})

export const AuditList = Type.Object({ entries: Type.Array(AuditEntry), ...pageFields }, { title: 'AuditList' })

export type AuditEntry = Static<typeof AuditEntry>
export type AuditList = Static<typeof AuditList>
