import { Type, type Static } from 'typebox'
import { Formed } from '../schemas/common.ts'

const token = '1 to 64 letters, digits, - and _'

/** The envelope is in the headers, so the ingest route stores a body without parsing it. */
export const BatchHeaders = Type.Object({
  'plimsoll-schema': Formed('^[0-9]{1,4}$', 'a whole number', {
    description: 'Major version of the body; currently 1',
    examples: ['1'],
  }),
  'plimsoll-batch-id': Formed('^[A-Za-z0-9_-]{1,64}$', token, {
    description: 'A batch with the same ID and bytes is stored once',
    examples: ['batch-1'],
  }),
  'plimsoll-epoch': Formed('^[A-Za-z0-9_-]{1,64}$', token, {
    description: 'ID of the epoch. The agent starts a new epoch when it starts and every 24 hours',
    examples: ['epoch-1'],
  }),
  'plimsoll-seq': Formed('^[0-9]{1,15}$', 'a whole number of at most 15 digits', {
    description: 'Sequence number in the epoch: 1, 2, 3 …, without gaps',
    examples: ['1'],
  }),
  'plimsoll-part': Type.Optional(
    Formed('^[0-9]{1,4}/[0-9]{1,4}$', 'two numbers such as 2/5', { description: 'Part of a split batch, such as 2/5' }),
  ),
  'plimsoll-kind': Type.Unsafe<'live' | 'backfill'>({ type: 'string', enum: ['live', 'backfill'] }),
  'plimsoll-cluster-uid': Formed('^[A-Za-z0-9_-]{1,64}$', token, {
    description: 'uid of the kube-system namespace',
    examples: ['0b6fbbcb-6a4d-4d8e-9d2a-3f1c2a7e5b10'],
  }),
  'content-digest': Formed('^sha-256=:[A-Za-z0-9+/=]{44}:$', 'sha-256=:…: with the digest in base 64', {
    description: 'SHA-256 digest of the compressed body (RFC 9530)',
  }),
  'content-encoding': Formed('^[Gg][Zz][Ii][Pp]$', 'gzip', { examples: ['gzip'] }),
})

/** Stored unchanged, so this schema validates nothing. */
export const EncodedBatch = Type.Unsafe<Uint8Array>({
  title: 'EncodedBatch',
  description: 'gzip of JSON',
  'x-file': 'batch.json.gz',
})

export const payloadSchema = 1

/** Larger bodies are rejected with 413. */
export const batchLimits = {
  encodedBytesMax: 10 * 1024 * 1024,
  decodedBytesMax: 64 * 1024 * 1024,
  ratioMax: 200,
}

export const BatchAccepted = Type.Object(
  {
    batch_id: Type.String(),
    duplicate: Type.Boolean({ description: 'True: this batch was already stored with the same bytes' }),
    acked_seq: Type.Integer({ description: 'All batches of this epoch up to this number are stored' }),
    server_time: Type.String({ format: 'date-time' }),
    directives: Type.Object({
      interval_seconds: Type.Integer(),
      sync_requested: Type.Boolean({ description: 'Send a full snapshot with the next batch' }),
      max_encoded_bytes: Type.Integer(),
    }),
    fold: Type.Object({
      through_seq: Type.Integer({ description: 'All batches of this epoch up to this number are processed' }),
      rejected_records: Type.Integer(),
      rejections: Type.Array(Type.Object({ batch_id: Type.String(), reason: Type.String() }), { maxItems: 20 }),
    }),
  },
  { title: 'BatchAccepted' },
)

export type BatchHeaders = Static<typeof BatchHeaders>
export type BatchAccepted = Static<typeof BatchAccepted>
