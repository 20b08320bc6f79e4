import type { MessagePort } from 'node:worker_threads'
import { backgroundConnectMsMax, openDatabase, openPool } from '../../platform/db/database.ts'
import { makeLog } from '../../platform/log.ts'
import { evaluateIncidents } from './evaluate-incidents.ts'

export type IncidentsWorkerOptions = { databaseUrl: string; logLevel: string; now: Date; again: boolean }

/** Null: the incidents are stored. */
export type IncidentsReply = { error: Error | null }

/** Runs in the thread, which has its own connection: rows never pass through the event loop of the service. */
export async function evaluateInThread(
  port: MessagePort,
  { databaseUrl, logLevel, now, again }: IncidentsWorkerOptions,
): Promise<void> {
  const limits = { connectionsMax: 1, connectMsMax: backgroundConnectMsMax }
  const pool = openPool(databaseUrl, limits, makeLog(logLevel))
  const error = await evaluateIncidents(openDatabase(pool), now, { again }).then(() => null, errorOf)
  await pool.end()
  port.postMessage({ error } satisfies IncidentsReply)
}

const errorOf = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
