import type { MessagePort } from 'node:worker_threads'
import { backgroundConnectMsMax, openDatabase, openPool } from '../platform/db/database.ts'
import { makeLog } from '../platform/log.ts'
import { Problem, type ProblemExtras } from '../platform/http/problem.ts'
import type { ProblemCode } from '@plimsoll/contract'
import type { AllocationRequest } from './answer-allocation.ts'
import { allocationJson } from './figuring.ts'

export type FiguresWorkerOptions = { databaseUrl: string; logLevel: string }

export type FiguresMessage = { kind: 'allocation'; id: number; request: AllocationRequest } | { kind: 'close' }

export type FiguresReply =
  | { kind: 'answered'; id: number; json: Uint8Array }
  | { kind: 'refused'; id: number; code: ProblemCode; detail: string; errors: ProblemExtras['errors'] }
  /** The code travels beside the error, because posting an error drops its own fields. */
  | { kind: 'failed'; id: number; error: Error; code: string | undefined }

/** Computations in parallel: each has one connection, and the rows of both must fit into the memory of the thread. */
export const figuresRunningMax = 2

/** Runs in the thread: the thread has its own connections, so that rows never pass through the event loop. */
export function listenForFigures(port: MessagePort, { databaseUrl, logLevel }: FiguresWorkerOptions): void {
  const limits = { connectionsMax: figuresRunningMax, connectMsMax: backgroundConnectMsMax }
  const pool = openPool(databaseUrl, limits, makeLog(logLevel))
  const db = openDatabase(pool)
  port.on('message', (message: FiguresMessage) => {
    if (message.kind === 'close') return void pool.end().then(() => port.close())
    const { id, request } = message
    allocationJson(db, request).then(
      (json) => port.postMessage({ kind: 'answered', id, json } satisfies FiguresReply, [json.buffer as ArrayBuffer]),
      (error: unknown) => port.postMessage(failureOf(id, error)),
    )
  })
}

function failureOf(id: number, error: unknown): FiguresReply {
  if (error instanceof Problem) {
    return { kind: 'refused', id, code: error.code, detail: error.message, errors: error.extras.errors }
  }
  if (!(error instanceof Error)) return { kind: 'failed', id, error: new Error(String(error)), code: undefined }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { kind: 'failed', id, error, code }
}
