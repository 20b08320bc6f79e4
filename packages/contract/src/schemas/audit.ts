import { Type, type Static } from 'typebox'
import { Closed, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

export const AuditEntry = Type.Object(
  {
    id: Type.String({ examples: ['aud_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    at: Timestamp,
    actor: Type.Object({
      kind: Type.Unsafe<'person' | 'key' | 'agent' | 'system' | 'anonymous'>({
        type: 'string',
        enum: ['person', 'key', 'agent', 'system', 'anonymous'],
        description: '`system`: the service itself; `anonymous`: nobody had signed in',
      }),
      id: Nullable(Type.String()),
      email: Nullable(Type.String()),
    }),
    credential_id: Nullable(Type.String(), 'The session, API key or agent token that was used'),
    action: Type.String({ examples: ['cluster.create'] }),
    target: Type.Object({ type: Type.String(), id: Type.String() }),
    detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
    address: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
  },
  { title: 'AuditEntry' },
)

const filterText = Type.String({ minLength: 1, maxLength: 200 })

export const auditPageSize = { max: 500, default: 100 }

export const ListAuditQuery = Closed({
  ...pageQuery(auditPageSize.max, auditPageSize.default),
  actor_id: Type.Optional(filterText),
  action: Type.Optional(Type.Unsafe<string>({ ...filterText, description: 'One or several, separated by commas' })),
  target_type: Type.Optional(filterText),
  target_id: Type.Optional(filterText),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
})

export const AuditList = Type.Object({ entries: Type.Array(AuditEntry), ...pageFields }, { title: 'AuditList' })

export type AuditEntry = Static<typeof AuditEntry>
export type AuditList = Static<typeof AuditList>
