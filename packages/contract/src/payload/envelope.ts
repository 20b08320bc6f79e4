import { Type, type Static } from 'typebox'

/** The envelope travels in headers, so that the ingest route stores a body without parsing it. */
export const BatchHeaders = Type.Object({
  'plimsoll-schema': Type.String({ pattern: '^[0-9]{1,4}$', description: 'Major version of the body, 1 today' }),
  'plimsoll-batch-id': Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: 'Same id, same bytes: done once' }),
  'plimsoll-epoch': Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$', description: "Identity of the agent's disk log" }),
  'plimsoll-seq': Type.String({
    pattern: '^[0-9]{1,15}$',
    description: 'Position in the epoch, from 1 on, without holes',
  }),
  'plimsoll-part': Type.Optional(Type.String({ pattern: '^[0-9]{1,4}/[0-9]{1,4}$', description: 'Such as 2/5' })),
  'plimsoll-kind': Type.Union([Type.Literal('live'), Type.Literal('backfill')]),
  'plimsoll-cluster-uid': Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'uid of the kube-system namespace',
  }),
  'content-digest': Type.String({
    pattern: '^sha-256=:[A-Za-z0-9+/=]{44}:$',
    description: 'RFC 9530, of the encoded body',
  }),
  'content-encoding': Type.Literal('gzip'),
})

export const payloadSchema = 1

/** Beyond these a body is refused with 413. */
export const batchLimits = {
  encodedBytesMax: 10 * 1024 * 1024,
  decodedBytesMax: 64 * 1024 * 1024,
  ratioMax: 200,
}

export const BatchAccepted = Type.Object(
  {
    batch_id: Type.String(),
    duplicate: Type.Boolean({ description: 'It was stored before, with the same bytes' }),
    acked_seq: Type.Integer({ description: 'Everything up to here, of this epoch, is stored' }),
    server_time: Type.String({ format: 'date-time' }),
    directives: Type.Object({
      interval_seconds: Type.Integer(),
      sync_requested: Type.Boolean({ description: 'Send a full snapshot with the next batch' }),
      max_encoded_bytes: Type.Integer(),
    }),
    fold: Type.Object({
      through_seq: Type.Integer({ description: 'Everything up to here, of this epoch, is part of the figures' }),
      rejected_records: Type.Integer(),
      rejections: Type.Array(Type.Object({ batch_id: Type.String(), reason: Type.String() }), { maxItems: 20 }),
    }),
  },
  { title: 'BatchAccepted' },
)

export type BatchHeaders = Static<typeof BatchHeaders>
export type BatchAccepted = Static<typeof BatchAccepted>
