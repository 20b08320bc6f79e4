import { batchLimits, type BatchAccepted } from '@plimsoll/contract'
import type { Log } from '../log.ts'

/** A dry run: accepts every batch and sends nothing. */
export function dryFetch(log: Log, now: () => number): typeof fetch {
  return async (_url, init) => {
    const headers = init?.headers as Record<string, string>
    const bytes = (init?.body as Uint8Array).length
    const [id, part, kind] = ['batch-id', 'part', 'kind'].map((name) => headers[`plimsoll-${name}`])
    log('info', 'dry run: batch not sent', { batch: id, part, kind, bytes })
    const answer: BatchAccepted = {
      batch_id: id ?? '',
      duplicate: false,
      acked_seq: 0,
      server_time: new Date(now() * 1000).toISOString(),
      directives: { interval_seconds: 60, sync_requested: false, max_encoded_bytes: batchLimits.encodedBytesMax },
      fold: { through_seq: 0, rejected_records: 0, rejections: [] },
    }
    return new Response(JSON.stringify(answer), { status: 202 })
  }
}
