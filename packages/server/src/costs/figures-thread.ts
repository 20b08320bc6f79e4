import { Worker } from 'node:worker_threads'
import type { Deps } from '../platform/deps.ts'
import { figuresWorkerFile } from '../directories.ts'
import { Problem } from '../platform/http/problem.ts'
import type { AllocationRequest } from './answer-allocation.ts'
import type { FiguresMessage, FiguresReply, FiguresWorkerOptions } from './figures-listener.ts'
import type { Figuring } from './figuring.ts'

const memoryMibMax = 1024
const waitingMax = 50

export type FiguresThreadOptions = Pick<Deps, 'log'> & { databaseUrl: string }

type Waiting = { resolve: (json: Uint8Array) => void; reject: (error: Error) => void }

/** Starts with the first request. If the thread ends, waiting requests fail and the next request starts another thread. */
export class FiguresThread implements Figuring {
  readonly #options: FiguresThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #requests = 0

  constructor(options: FiguresThreadOptions) {
    this.#options = options
  }

  allocation(request: AllocationRequest): Promise<Uint8Array> {
    if (this.#waiting.size >= waitingMax) return Promise.reject(unavailable('Too many answers are being computed.'))
    const worker = (this.#worker ??= this.#start())
    const id = (this.#requests += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ kind: 'allocation', id, request } satisfies FiguresMessage)
    })
  }

  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage({ kind: 'close' } satisfies FiguresMessage)
    await ended
  }

  #start(): Worker {
    const { databaseUrl, log } = this.#options
    const worker = new Worker(figuresWorkerFile, {
      workerData: { databaseUrl, logLevel: log.level } satisfies FiguresWorkerOptions,
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
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (!waiting) return
    if (reply.kind === 'answered') return waiting.resolve(reply.json)
    if (reply.kind === 'failed') return waiting.reject(Object.assign(reply.error, { code: reply.code }))
    const { code, detail, errors } = reply
    waiting.reject(new Problem(code, detail, errors ? { errors } : {}))
  }

  #end(cause: unknown): void {
    this.#worker = undefined
    if (cause !== undefined) this.#options.log.error({ err: cause }, 'the thread that computes figures has ended')
    const error = unavailable('The computation was interrupted. Try again.', cause)
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

const unavailable = (detail: string, cause?: unknown) =>
  new Problem('service_unavailable', detail, { headers: { 'retry-after': '5' }, cause })
