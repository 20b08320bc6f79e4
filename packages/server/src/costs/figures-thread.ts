import { Worker } from 'node:worker_threads'
import type { Deps } from '../platform/deps.ts'
import { figuresWorkerFile } from '../directories.ts'
import { Problem } from '../platform/http/problem.ts'
import { WorkQueue, type WorkLimits, type WorkRequester } from '../platform/work-queue.ts'
import type { AllocationRequest } from './answer-allocation.ts'
import type { TeamsRequest } from './answer-teams.ts'
import type { ScopeDaysRequest } from './answer-scope-days.ts'
import type { MetricsRequest } from './metrics/metrics-request.ts'
import type { OpencostRequest } from './opencost/opencost-request.ts'
import type { StatementsRequest } from './statements/answer-statements.ts'
import type { ChangesRequest } from './changes/answer-changes.ts'
import {
  figuresRunningMax,
  type FiguresMessage,
  type FiguresReply,
  type FiguresWorkerOptions,
} from './figures-listener.ts'
import type { Figuring, FiguresQuestion } from './compute-in-thread.ts'

const memoryMibMax = 1024

const limits: WorkLimits = { runningMax: figuresRunningMax, waitingMax: 50, perCallerMax: 8 }

/** Then a computation that still runs is ended: it only reads, and its caller sends the request again. */
const closingMsMaxByDefault = 3_000

export type FiguresThreadOptions = Pick<Deps, 'log'> & {
  databaseUrl: string
  computeMsMax?: number
  closingMsMax?: number
}

type Running = { resolve: (json: Uint8Array) => void; reject: (error: Error) => void }

/** Starts with the first request. If the thread ends, running requests fail and the next request starts another thread. */
export class FiguresThread implements Figuring {
  readonly #options: FiguresThreadOptions
  readonly #queue = new WorkQueue(limits)
  readonly #running = new Map<number, Running>()
  #worker: Worker | undefined
  #requests = 0
  #isClosed = false

  constructor(options: FiguresThreadOptions) {
    this.#options = options
  }

  allocation(request: AllocationRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'allocation', request }, requester)
  }

  changes(request: ChangesRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'changes', request }, requester)
  }

  scopeDays(request: ScopeDaysRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'scope-days', request }, requester)
  }

  teams(request: TeamsRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'teams', request }, requester)
  }

  statements(request: StatementsRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'statements', request }, requester)
  }

  opencost(request: OpencostRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'opencost', request }, requester)
  }

  metrics(request: MetricsRequest, requester: WorkRequester): Promise<Uint8Array> {
    return this.#ask({ kind: 'metrics', request }, requester)
  }

  #ask(question: FiguresQuestion, requester: WorkRequester): Promise<Uint8Array> {
    return this.#queue.run(requester, () => this.#compute(question, requester.signal))
  }

  async #compute(question: FiguresQuestion, signal: AbortSignal): Promise<Uint8Array> {
    if (this.#isClosed) throw unavailable('The service is stopping.')
    const worker = (this.#worker ??= this.#start())
    const id = (this.#requests += 1)
    const cancel = () => worker.postMessage({ kind: 'cancel', id } satisfies FiguresMessage)
    signal.addEventListener('abort', cancel, { once: true })
    try {
      return await new Promise((resolve, reject) => {
        this.#running.set(id, { resolve, reject })
        worker.postMessage({ kind: 'compute', id, question } satisfies FiguresMessage)
      })
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage({ kind: 'close' } satisfies FiguresMessage)
    const { closingMsMax = closingMsMaxByDefault } = this.#options
    const patience = setTimeout(() => void worker.terminate(), closingMsMax)
    await ended
    clearTimeout(patience)
  }

  #start(): Worker {
    const { databaseUrl, log, computeMsMax } = this.#options
    const worker = new Worker(figuresWorkerFile, {
      workerData: { databaseUrl, logLevel: log.level, computeMsMax } satisfies FiguresWorkerOptions,
      resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
      execArgv: [],
    })
    let cause: unknown
    worker.on('message', (reply: FiguresReply) => this.#settle(reply))
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => this.#end(cause))
    return worker
  }

  #settle(reply: FiguresReply): void {
    const running = this.#running.get(reply.id)
    this.#running.delete(reply.id)
    if (!running) return
    if (reply.kind === 'answered') return running.resolve(reply.json)
    if (reply.kind === 'failed') return running.reject(Object.assign(reply.error, { code: reply.code }))
    const { code, detail, errors } = reply
    running.reject(new Problem(code, detail, errors ? { errors } : {}))
  }

  #end(cause: unknown): void {
    this.#worker = undefined
    if (cause !== undefined) this.#options.log.error({ err: cause }, 'the cost query thread stopped')
    const error = unavailable('The computation was interrupted. Try again.', cause)
    for (const { reject } of this.#running.values()) reject(error)
    this.#running.clear()
  }
}

const unavailable = (detail: string, cause?: unknown) =>
  new Problem('service_unavailable', detail, { headers: { 'retry-after': '5' }, cause })
