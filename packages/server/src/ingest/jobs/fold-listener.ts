import type { MessagePort } from 'node:worker_threads'
import { backgroundConnectMsMax, openDatabase, openPool } from '../../platform/db/database.ts'
import { KeptStates } from '@plimsoll/pipeline/fold'
import { makeLog } from '../../platform/log.ts'
import { fold, setAside, type FoldOptions } from './fold.ts'
import { PriceBooks } from '../../prices/index.ts'

export type FoldWorkerOptions = { databaseUrl: string; logLevel: string; holder?: string | undefined }

export type FoldRequest =
  | {
      kind: 'fold'
      id: number
      clusterId: string
      now: Date
      /** Batches that ended this thread before; they are not retried. */
      aside: string[]
    }
  | { kind: 'close' }

export type FoldReply =
  | { kind: 'at'; id: number; batchId: string | undefined }
  | { kind: 'folded'; id: number }
  | { kind: 'failed'; id: number; error: Error }

/** Two clusters at a time, each with a transaction and one further connection. */
const connections = 4

/** The fold thread: its own connections, its own price lists, and the states of clusters between two runs. */
export function listenForFolds(
  port: MessagePort,
  { databaseUrl, logLevel, holder }: FoldWorkerOptions,
  options: Pick<FoldOptions, 'isDue'> = {},
): void {
  const log = makeLog(logLevel)
  const pool = openPool(databaseUrl, { connectionsMax: connections, connectMsMax: backgroundConnectMsMax }, log)
  const deps = { db: openDatabase(pool), log, prices: new PriceBooks() }
  const kept = new KeptStates()

  const run = async ({ id, clusterId, now, aside }: Extract<FoldRequest, { kind: 'fold' }>) => {
    const dated = { ...deps, now: () => now }
    for (const batchId of aside)
      await setAside(dated, clusterId, batchId, 'processing the batch exceeds the memory limit')
    const onBatch = (batchId: string | undefined) => reply({ kind: 'at', id, batchId })
    await fold(dated, { clusterId }, { ...options, kept, onBatch, holder: holder ?? null })
    reply({ kind: 'folded', id })
  }
  const reply = (message: FoldReply) => port.postMessage(message)
  port.on('message', (request: FoldRequest) => {
    if (request.kind === 'close') void pool.end().then(() => port.close())
    else {
      const { id } = request
      run(request).catch((error: unknown) =>
        reply({ kind: 'failed', id, error: error instanceof Error ? error : new Error(String(error)) }),
      )
    }
  })
}
