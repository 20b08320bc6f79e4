import { createHash } from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'
import { BatchReader, parseBatch, payloadSchema, type Batch, type BatchHeaders } from '@plimsoll/contract'

/** A batch with its position in the log of an agent. */
export type LoggedBatch = { readonly batch: Batch; readonly epoch: string; readonly seq: number }

/** In wire format. */
export type EncodedBatch = { readonly headers: BatchHeaders; readonly body: Uint8Array }

export function encodeBatch(
  { batch, epoch, seq }: LoggedBatch,
  clusterUid: string,
  kind: BatchHeaders['plimsoll-kind'] = 'live',
): EncodedBatch {
  return seal({ epoch, seq, clusterUid, kind, snapshot: batch.snapshot }, gzipSync(JSON.stringify(batch)))
}

export type Envelope = {
  readonly epoch: string
  readonly seq: number
  readonly clusterUid: string
  readonly kind: BatchHeaders['plimsoll-kind']
  readonly snapshot: { readonly part: number; readonly parts: number } | undefined
}

/** Builds the headers of a compressed body, so that the server need not read the body. */
export function seal({ epoch, seq, clusterUid, kind, snapshot }: Envelope, body: Uint8Array): EncodedBatch {
  return {
    headers: {
      'plimsoll-schema': String(payloadSchema),
      'plimsoll-batch-id': `${epoch}-${seq}`,
      'plimsoll-epoch': epoch,
      'plimsoll-seq': String(seq),
      ...(snapshot ? { 'plimsoll-part': `${snapshot.part}/${snapshot.parts}` } : {}),
      'plimsoll-kind': kind,
      'plimsoll-cluster-uid': clusterUid,
      'content-digest': digestOf(body),
      'content-encoding': 'gzip',
    },
    body,
  }
}

/** The digest of RFC 9530. */
export function digestOf(body: Uint8Array): string {
  return `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
}

/** Reads a body that this agent encoded; throws if it is not a batch. */
export function readBody(body: Uint8Array): Batch {
  const parsed = parseBatch(gunzipSync(body).toString('utf8'))
  if (parsed.kind === 'unreadable') throw new Error(parsed.reason)
  return parsed.batch
}

export function decodeBatch({ headers, body }: EncodedBatch): LoggedBatch & { reader: BatchReader } {
  const batch = readBody(body)
  return {
    batch,
    reader: new BatchReader(batch),
    epoch: headers['plimsoll-epoch'],
    seq: Number(headers['plimsoll-seq']),
  }
}
