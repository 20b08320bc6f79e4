import { once } from 'node:events'
import { Socket } from 'node:net'
import { backgroundConnectMsMax, openDatabase, openPool } from '../platform/db/database.ts'
import { makeLog } from '../platform/log.ts'
import { PriceBooks } from '../prices/index.ts'
import type { ByteSink } from './focus/byte-sink.ts'
import type { FocusRequest, FocusTotals } from './focus/focus-request.ts'
import { writeFocusFile } from './focus/write-file.ts'

/** Sent over the channel, because other processes can read the arguments of a process. */
export type FocusTask = { databaseUrl: string; logLevel: string; request: FocusRequest; stallMsMax: number }

export type FocusReply =
  | { kind: 'written'; totals: FocusTotals }
  /** In parts: a sent error loses its code. */
  | { kind: 'failed'; message: string; stack: string | undefined; code: string | undefined }

/** The descriptor of the pipe to the service. */
export const pipeDescriptor = 4

/** Writes one file to the pipe. The process ends when the service has the reply. */
export function listenForExport(channel: NodeJS.Process): void {
  channel.once('message', (task: FocusTask) => {
    void write(task)
      .catch(failure)
      .then((reply) => channel.send?.(reply, () => channel.disconnect()))
  })
}

async function write({ databaseUrl, logLevel, request, stallMsMax }: FocusTask): Promise<FocusReply> {
  // One connection for the periods, and one for the rest.
  const limits = { connectionsMax: 2, connectMsMax: backgroundConnectMsMax }
  const pool = openPool(databaseUrl, limits, makeLog(logLevel))
  const pipe = new Socket({ fd: pipeDescriptor, readable: false, writable: true })
  try {
    const source = { db: openDatabase(pool), prices: new PriceBooks() }
    const totals = await writeFocusFile(source, request, pipeSink(pipe, stallMsMax))
    pipe.end()
    await once(pipe, 'finish')
    return { kind: 'written', totals }
  } finally {
    await pool.end()
  }
}

/** Waits for the reader. A reader that stops must not keep a transaction open for ever. */
function pipeSink(pipe: Socket, stallMsMax: number): ByteSink {
  return {
    write: async (bytes) => {
      if (pipe.write(bytes)) return
      await once(pipe, 'drain', { signal: AbortSignal.timeout(stallMsMax) })
    },
  }
}

function failure(error: unknown): FocusReply {
  if (!(error instanceof Error)) return { kind: 'failed', message: String(error), stack: undefined, code: undefined }
  const { message, stack, code } = error as NodeJS.ErrnoException
  return { kind: 'failed', message, stack, code }
}
