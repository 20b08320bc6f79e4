import type { MessagePort } from 'node:worker_threads'
import type { Preview } from '@plimsoll/contract'
import { openDatabase, openPool } from '../db/database.ts'
import { makeLog } from '../log.ts'
import { PriceBooks } from '../prices/price-books.ts'
import { previewSavings } from '../recommendations/preview-savings.ts'
import { analyse } from './analyse.ts'
import type { PreviewAsked } from './analysing.ts'

export type AnalysisWorkerOptions = { databaseUrl: string; logLevel: string }

export type Asked = { kind: 'analyse'; clusterId: string } | ({ kind: 'preview' } & PreviewAsked)

export type AnalysisRequest = (Asked & { id: number; now: Date }) | { kind: 'close' }

export type AnalysisReply =
  | { kind: 'analysed'; id: number }
  | { kind: 'previewed'; id: number; preview: Preview }
  | { kind: 'failed'; id: number; error: Error }

/** One transaction at a time, and what it needs outside of it. */
const connections = 2

/** The thread that analyses or previews: one cluster after the other, or two large ones would be in memory at once. */
export function listenForAnalyses(port: MessagePort, { databaseUrl, logLevel }: AnalysisWorkerOptions): void {
  const log = makeLog(logLevel)
  const pool = openPool(databaseUrl, { connectionsMax: connections }, log)
  const deps = { db: openDatabase(pool), log, prices: new PriceBooks() }
  const reply = (message: AnalysisReply) => port.postMessage(message)
  const answer = async ({ id, now, ...asked }: Exclude<AnalysisRequest, { kind: 'close' }>): Promise<AnalysisReply> => {
    const own = { ...deps, now: () => now }
    if (asked.kind === 'preview') return { kind: 'previewed', id, preview: await previewSavings(own, asked) }
    await analyse(own, asked)
    return { kind: 'analysed', id }
  }
  const run = (request: Exclude<AnalysisRequest, { kind: 'close' }>) =>
    answer(request).then(reply, (error: unknown) =>
      reply({
        kind: 'failed',
        id: request.id,
        error: error instanceof Error ? error : new Error(String(error)),
      }),
    )
  let last: Promise<void> = Promise.resolve()
  port.on('message', (request: AnalysisRequest) => {
    if (request.kind !== 'close') last = last.then(() => run(request))
    else void last.then(() => pool.end()).then(() => port.close())
  })
}
