import type { MessagePort } from 'node:worker_threads'
import { openDatabase, openPool } from '../db/database.ts'
import { makeLog } from '../log.ts'
import { PriceBooks } from '../prices/price-books.ts'
import { analyse } from './analyse.ts'

export type AnalysisWorkerOptions = { databaseUrl: string; logLevel: string }

export type AnalysisRequest = { kind: 'analyse'; id: number; clusterId: string; now: Date } | { kind: 'close' }

export type AnalysisReply = { kind: 'analysed'; id: number } | { kind: 'failed'; id: number; error: Error }

/** One transaction at a time, and what it needs outside of it. */
const connections = 2

/** The thread that analyses: one cluster after the other, or two large ones would be in memory at once. */
export function listenForAnalyses(port: MessagePort, { databaseUrl, logLevel }: AnalysisWorkerOptions): void {
  const log = makeLog(logLevel)
  const pool = openPool(databaseUrl, { connectionsMax: connections }, log)
  const deps = { db: openDatabase(pool), log, prices: new PriceBooks() }
  const reply = (message: AnalysisReply) => port.postMessage(message)
  const run = ({ id, clusterId, now }: Extract<AnalysisRequest, { kind: 'analyse' }>) =>
    analyse({ ...deps, now: () => now }, { clusterId }).then(
      () => reply({ kind: 'analysed', id }),
      (error: unknown) =>
        reply({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) }),
    )
  let last: Promise<void> = Promise.resolve()
  port.on('message', (request: AnalysisRequest) => {
    if (request.kind === 'analyse') last = last.then(() => run(request))
    else void last.then(() => pool.end()).then(() => port.close())
  })
}
