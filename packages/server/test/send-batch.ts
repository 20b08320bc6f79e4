import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Batch } from '@plimsoll/contract'
import type { TestApp } from './test-app.ts'

export type Envelope = {
  epoch?: string
  seq: number
  batchId?: string
  clusterUid?: string
  headers?: Record<string, string>
}

/** Each cluster has its own. */
const uidOf = (token: string) => `kube-system-${createHash('sha256').update(token).digest('hex').slice(0, 16)}`

/** A batch as an agent sends it: never before its observations, so the clock moves forward if needed. */
export function sendBatch(
  { app, clock }: Pick<TestApp, 'app' | 'clock'>,
  token: string,
  batch: Batch | Buffer,
  envelope: Envelope,
) {
  if (!Buffer.isBuffer(batch)) clock.now = new Date(Math.max(clock.now.getTime(), batch.observed_at * 1000))
  const { body, headers } = batchRequest(token, batch, envelope)
  return app.inject({ method: 'POST', url: '/api/v1/agent/metrics', payload: body, headers })
}

export function batchRequest(token: string, batch: Batch | Buffer, envelope: Envelope) {
  const { epoch = 'epoch-1', seq, batchId = `${epoch}-${seq}`, clusterUid = uidOf(token), headers = {} } = envelope
  const payload = Buffer.isBuffer(batch) ? batch : gzipSync(JSON.stringify(batch))
  return {
    body: payload,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-digest': `sha-256=:${createHash('sha256').update(payload).digest('base64')}:`,
      'plimsoll-schema': '1',
      'plimsoll-batch-id': batchId,
      'plimsoll-epoch': epoch,
      'plimsoll-seq': String(seq),
      'plimsoll-kind': 'live',
      'plimsoll-cluster-uid': clusterUid,
      ...headers,
    },
  }
}
