import type { Freshness } from '../observer.ts'
import type { Losses } from '../queue/disk-queue.ts'
import type { Connection, SenderCounts } from '../send/sender.ts'

/** The status of this agent. */
export type Status = {
  readonly freshness: readonly Freshness[]
  readonly connection: Connection
  readonly pending: { readonly live: number; readonly backlog: number }
  readonly bytes: number
  readonly losses: Losses & { readonly refused: number }
  readonly counts: SenderCounts
  /** Milliseconds since 1970. */
  readonly now: number
  readonly memoryBytes: number
}

/** Watches get bookmarks about once per minute, even without changes. */
const freshMs = 10 * 60_000

/** Ready: all kinds are listed, and every watch is fresh. The server connection does not count. */
export function notReady({ freshness, now }: Status): string[] {
  if (freshness.length === 0) return ['no watch has started']
  return freshness.flatMap(({ kind, synced, lastEventAt }) => {
    if (!synced) return [`${kind} are not listed yet`]
    return now - lastEventAt > freshMs
      ? [`no event for ${kind} in the last ${Math.round((now - lastEventAt) / 1000)} s`]
      : []
  })
}

/** In the Prometheus text format. */
export function metricsText(status: Status): string {
  const { connection, pending, losses, counts } = status
  const lines: [name: string, type: 'gauge' | 'counter', help: string, value: number][] = [
    ['connected', 'gauge', 'Whether the server accepted the last batch', connection.kind === 'connected' ? 1 : 0],
    ['pending_live_batches', 'gauge', 'Batches of the current epoch on disk', pending.live],
    ['pending_backlog_batches', 'gauge', 'Batches of earlier epochs on disk', pending.backlog],
    ['log_bytes', 'gauge', 'Size of the disk buffer', status.bytes],
    ['dropped_batches_total', 'counter', 'Batches dropped because the disk buffer was full', losses.dropped],
    ['damaged_batches_total', 'counter', 'Batches damaged on disk', losses.damaged],
    ['refused_batches_total', 'counter', 'Batches refused by the server', losses.refused],
    ['requests_total', 'counter', 'Requests sent', counts.requests],
    ['accepted_batches_total', 'counter', 'Batches accepted by the server', counts.accepted],
    ['duplicate_batches_total', 'counter', 'Duplicate batches (already stored by the server)', counts.duplicates],
    [
      'conflicting_batches_total',
      'counter',
      'Batches rejected because another batch has the same sequence number',
      counts.conflicts,
    ],
    ['sent_bytes_total', 'counter', 'Compressed bytes sent', counts.bytes],
    ['resident_memory_bytes', 'gauge', 'Memory of the process', status.memoryBytes],
    [
      'watches_ready',
      'gauge',
      '1 if every watch has completed its initial list and is up to date',
      notReady(status).length === 0 ? 1 : 0,
    ],
  ]
  return lines
    .map(([name, type, help, value]) => {
      const full = `plimsoll_agent_${name}`
      return `# HELP ${full} ${help}\n# TYPE ${full} ${type}\n${full} ${value}\n`
    })
    .join('')
}
