import { openDatabase, openPool } from '../db/database.ts'
import { makeLog } from '../log.ts'
import { PriceBooks } from '../prices/price-books.ts'
import { analyse } from './analyse.ts'

export type AnalysisRequest =
  /** The first: over the channel, because others may read what a process is started with. */
  | { kind: 'open'; databaseUrl: string; logLevel: string }
  | { kind: 'analyse'; id: number; clusterId: string; now: Date }
  | { kind: 'close' }

export type AnalysisReply = { kind: 'analysed'; id: number } | { kind: 'failed'; id: number; error: Error }

/** One transaction at a time, and what it needs outside of it. */
const connections = 2

/** The process that analyses: one cluster after the other, or two large ones would be in memory at once. */
export function listenForAnalyses(channel: NodeJS.Process): void {
  let last: Promise<void> = Promise.resolve()
  let analyst: Analyst | undefined
  channel.on('message', (request: AnalysisRequest) => {
    if (request.kind === 'open') analyst = openAnalyst(request, (reply) => void channel.send?.(reply))
    else if (request.kind === 'analyse') last = last.then(() => analyst?.analyse(request))
    else void last.then(() => analyst?.close()).then(() => channel.disconnect())
  })
}

type Analyst = {
  analyse: (request: Extract<AnalysisRequest, { kind: 'analyse' }>) => Promise<void>
  close: () => Promise<void>
}

function openAnalyst(
  { databaseUrl, logLevel }: Extract<AnalysisRequest, { kind: 'open' }>,
  reply: (reply: AnalysisReply) => void,
): Analyst {
  const log = makeLog(logLevel)
  const pool = openPool(databaseUrl, { connectionsMax: connections }, log)
  const deps = { db: openDatabase(pool), log, prices: new PriceBooks() }
  return {
    analyse: ({ id, clusterId, now }) =>
      analyse({ ...deps, now: () => now }, { clusterId }).then(
        () => reply({ kind: 'analysed', id }),
        (error: unknown) =>
          reply({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) }),
      ),
    close: () => pool.end(),
  }
}
