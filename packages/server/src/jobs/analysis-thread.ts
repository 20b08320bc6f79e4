import { Worker } from 'node:worker_threads'
import type { Preview } from '@plimsoll/contract'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { analysisWorkerFile } from '../directories.ts'
import type { Analysing, PreviewAsked, Previewing } from './analysing.ts'
import type { AnalysisReply, AnalysisRequest, AnalysisWorkerOptions, Asked } from './analysis-listener.ts'

/** Far more than the largest cluster takes; what takes more is stopped before the machine runs out. */
const memoryMibMax = 4096
const idleMsMaxByDefault = 60_000
/** Whoever comes after so many would wait for too long. */
const previewsWaitingMax = 20

export type AnalysisThreadOptions = Pick<Deps, 'log' | 'now'> & { databaseUrl: string; idleMsMax?: number }

type Waiting = { resolve: (reply: AnalysisReply) => void; reject: (error: Error) => void }

/**
 * Analyses in a thread that starts with the first cluster and ends when there was nothing to do for a while: what it needs to
 * know of a cluster is read each time, so it has nothing to keep.
 */
export class AnalysisThread implements Analysing, Previewing {
  readonly #options: AnalysisThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #ended: Promise<void> = Promise.resolve()
  #requests = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: AnalysisThreadOptions) {
    this.#options = options
  }

  /** Whether there is a thread now. */
  get isRunning(): boolean {
    return this.#worker !== undefined
  }

  async analyse(clusterId: string): Promise<void> {
    await this.#ask({ kind: 'analyse', clusterId })
  }

  async preview(asked: PreviewAsked): Promise<Preview> {
    if (this.#waiting.size >= previewsWaitingMax) {
      throw new Problem('service_unavailable', 'Too many previews are being computed at once.', {
        headers: { 'retry-after': '5' },
      })
    }
    const reply = await this.#ask({ kind: 'preview', ...asked })
    if (reply.kind !== 'previewed') throw new Error(`the thread has answered a preview with '${reply.kind}'`)
    return reply.preview
  }

  #ask(asked: Asked): Promise<AnalysisReply> {
    clearTimeout(this.#idle)
    const worker = (this.#worker ??= this.#start())
    const id = (this.#requests += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      worker.postMessage({ ...asked, id, now: this.#options.now() } satisfies AnalysisRequest)
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    this.#worker?.postMessage({ kind: 'close' } satisfies AnalysisRequest)
    await this.#ended
  }

  #start(): Worker {
    const { databaseUrl, log } = this.#options
    const worker = new Worker(analysisWorkerFile, {
      workerData: { databaseUrl, logLevel: log.level } satisfies AnalysisWorkerOptions,
      resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
      execArgv: [],
    })
    let cause: unknown
    worker.on('message', (reply: AnalysisReply) => this.#hear(reply))
    worker.on('error', (error) => (cause = error))
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        this.#end(worker, cause)
        resolve()
      })
    })
    return worker
  }

  #hear(reply: AnalysisReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.kind === 'failed') waiting?.reject(reply.error)
    else waiting?.resolve(reply)
    if (this.#waiting.size > 0) return
    const { idleMsMax = idleMsMaxByDefault } = this.#options
    this.#idle = setTimeout(() => this.#retire(), idleMsMax).unref()
  }

  /** The next cluster gets a new one, even while this one is still closing. */
  #retire(): void {
    const worker = this.#worker
    this.#worker = undefined
    worker?.postMessage({ kind: 'close' } satisfies AnalysisRequest)
  }

  #end(worker: Worker, cause: unknown): void {
    if (cause !== undefined) this.#options.log.error({ err: cause }, 'the thread that analyses has ended')
    if (this.#worker !== worker) return
    this.#worker = undefined
    const error = new Error('the thread that analyses has ended', { cause })
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
