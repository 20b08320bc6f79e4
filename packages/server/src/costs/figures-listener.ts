import type { MessagePort } from 'node:worker_threads'
import { backgroundConnectMsMax, openDatabase, openPool } from '../platform/db/database.ts'
import { makeLog } from '../platform/log.ts'
import { Problem, type ProblemExtras } from '../platform/http/problem.ts'
import { gone } from '../platform/work-queue.ts'
import type { ProblemCode } from '@plimsoll/contract'
import { answerJson, type FiguresQuestion } from './compute-in-thread.ts'

/** Checked between two clusters; a single query has its own statement timeout. */
const computeMsMaxByDefault = 60_000

export type FiguresWorkerOptions = { databaseUrl: string; logLevel: string; computeMsMax?: number | undefined }

export type FiguresMessage =
  | { kind: 'compute'; id: number; question: FiguresQuestion }
  /** The caller no longer waits for the answer. */
  | { kind: 'cancel'; id: number }
  | { kind: 'close' }

export type FiguresReply =
  | { kind: 'answered'; id: number; json: Uint8Array }
  | { kind: 'refused'; id: number; code: ProblemCode; detail: string; errors: ProblemExtras['errors'] }
  /** The code travels beside the error, because posting an error drops its own fields. */
  | { kind: 'failed'; id: number; error: Error; code: string | undefined }

/** Computations in parallel: each has one connection, and the rows of both must fit into the memory of the thread. */
export const figuresRunningMax = 2

/** Runs in the thread: the thread has its own connections, so that rows never pass through the event loop. */
export function listenForFigures(port: MessagePort, options: FiguresWorkerOptions): void {
  const { databaseUrl, logLevel, computeMsMax = computeMsMaxByDefault } = options
  const limits = { connectionsMax: figuresRunningMax, connectMsMax: backgroundConnectMsMax }
  const pool = openPool(databaseUrl, limits, makeLog(logLevel))
  const db = openDatabase(pool)
  const running = new Map<number, AbortController>()
  const compute = async (id: number, question: FiguresQuestion) => {
    const ending = new AbortController()
    running.set(id, ending)
    const deadline = setTimeout(() => ending.abort(tooLong(computeMsMax)), computeMsMax)
    try {
      const json = await answerJson(db, question, { signal: ending.signal })
      port.postMessage({ kind: 'answered', id, json } satisfies FiguresReply, [json.buffer as ArrayBuffer])
    } catch (error) {
      port.postMessage(failureOf(id, error))
    } finally {
      clearTimeout(deadline)
      running.delete(id)
    }
  }
  port.on('message', (message: FiguresMessage) => {
    if (message.kind === 'close') void pool.end().then(() => port.close())
    else if (message.kind === 'cancel') running.get(message.id)?.abort(gone())
    else void compute(message.id, message.question)
  })
}

const tooLong = (ms: number) =>
  new Problem(
    'service_unavailable',
    `The query took longer than ${ms / 1000} seconds. Request a shorter window or fewer clusters.`,
  )

function failureOf(id: number, error: unknown): FiguresReply {
  if (error instanceof Problem) {
    return { kind: 'refused', id, code: error.code, detail: error.message, errors: error.extras.errors }
  }
  if (!(error instanceof Error)) return { kind: 'failed', id, error: new Error(String(error)), code: undefined }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return { kind: 'failed', id, error, code }
}
