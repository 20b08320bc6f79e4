import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './database.ts'

const retryMs = 50

/** Runs queries on one connection. When the signal aborts, the running query and each later one are canceled. */
export function cancelOnAbort<Result>(
  db: Db,
  signal: AbortSignal,
  run: (connection: Db) => Promise<Result>,
): Promise<Result> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
    signal.throwIfAborted()
    let isRunning = true
    const cancelAll = async () => {
      for (; isRunning; await wait(retryMs)) await sql`select pg_cancel_backend(${rows[0]?.pid})`.execute(db)
    }
    let canceling: Promise<unknown> = Promise.resolve()
    const cancel = () => {
      canceling = cancelAll().catch(() => undefined)
    }
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await run(connection)
    } finally {
      isRunning = false
      signal.removeEventListener('abort', cancel)
      await canceling
      // A cancellation that arrives late ends this query, and not the first query of the next user of the connection.
      if (signal.aborted) await sql`select 1`.execute(connection).catch(() => undefined)
    }
  })
}
