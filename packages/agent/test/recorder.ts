import type { BatchAccepted } from '@plimsoll/contract'
import { digestOf, readBody } from '../src/shape/encode.ts'

export type Directives = Partial<BatchAccepted['directives']>

type Kept = { digest: string; epoch: string; seq: number; minutes: number[]; part: string | undefined; kind: string }

/** The batches that a server accepts by the rules of the protocol. */
export class Recorder {
  readonly kept = new Map<string, Kept>()
  directives: Directives = {}
  /** The server time. */
  now: () => number = () => 0

  receive(headers: Record<string, string>, body: Uint8Array): { status: number; body: object } {
    const id = headers['plimsoll-batch-id'] ?? ''
    const digest = headers['content-digest'] ?? ''
    if (digestOf(body) !== digest) return { status: 400, body: { code: 'digest_mismatch' } }
    const before = this.kept.get(id)
    if (before && before.digest !== digest) return { status: 409, body: { code: 'batch_conflict' } }
    const epoch = headers['plimsoll-epoch'] ?? ''
    const seq = Number(headers['plimsoll-seq'])
    if (!before) {
      const batch = readBody(body)
      const minutes = [...batch.minutes.minute]
      this.kept.set(id, {
        digest,
        epoch,
        seq,
        minutes,
        part: headers['plimsoll-part'],
        kind: headers['plimsoll-kind'] ?? '',
      })
    }
    const answer: BatchAccepted = {
      batch_id: id,
      duplicate: before !== undefined,
      acked_seq: seq,
      server_time: new Date(this.now() * 1000).toISOString(),
      directives: { interval_seconds: 60, sync_requested: false, max_encoded_bytes: 1e7, ...this.directives },
      fold: { through_seq: 0, rejected_records: 0, rejections: [] },
    }
    return { status: 202, body: answer }
  }

  /** How often each minute was accepted. */
  minutes(): Map<number, number> {
    const counts = new Map<number, number>()
    for (const { minutes } of this.kept.values())
      for (const minute of minutes) counts.set(minute, (counts.get(minute) ?? 0) + 1)
    return counts
  }

  /** Missing sequence numbers of every epoch, from 1 to the highest. */
  gaps(): string[] {
    const epochs = new Map<string, Set<number>>()
    for (const { epoch, seq } of this.kept.values()) epochs.set(epoch, (epochs.get(epoch) ?? new Set()).add(seq))
    return [...epochs].flatMap(([epoch, seqs]) =>
      Array.from({ length: Math.max(...seqs) }, (_each, index) => index + 1)
        .filter((seq) => !seqs.has(seq))
        .map((seq) => `${epoch}-${seq}`),
    )
  }
}

/** A fetch without a network. */
export function fetchOf(
  answer: (headers: Record<string, string>, body: Uint8Array) => Reply | Promise<Reply>,
): typeof fetch {
  return async (_url, init) => {
    const { status, body, headers } = await answer(init?.headers as Record<string, string>, init?.body as Uint8Array)
    return new Response(JSON.stringify(body ?? {}), { status, ...(headers ? { headers } : {}) })
  }
}

export type Reply = { status: number; body?: object; headers?: Record<string, string> }
