import { Worker } from 'node:worker_threads'
import type { Deps } from '../../platform/deps.ts'
import { foldWorkerFile } from '../../directories.ts'
import type { FoldReply, FoldRequest, FoldWorkerOptions } from './fold-listener.ts'
import type { Folding } from '../../platform/background.ts'

/** Parsing a batch creates much short-lived data: the thread gets a larger young generation than the main thread. */
const youngMibMax = 48

/** A batch that was being folded at this many thread ends is quarantined. */
const endingsMax = 2

export type FoldThreadOptions = Pick<Deps, 'log' | 'now'> & {
  databaseUrl: string
  memoryMibMax: number
  holder?: string
}

type Waiting = { clusterId: string; resolve: () => void; reject: (error: Error) => void }

/**
 * Folds in a thread that holds the states of clusters between two runs. If the thread ends, waiting callers fail and
 * the next call starts another thread. Only the states in memory are lost.
 */
export class FoldThread implements Folding {
  readonly #options: FoldThreadOptions
  readonly #waiting = new Map<number, Waiting>()
  /**
   * The last run of each cluster. Runs of a cluster are sequential, or the second would find the cluster locked and
   * give up.
   */
  readonly #lastOf = new Map<string, Promise<void>>()
  /** By cluster and batch: how often the thread ended during the fold of that batch. */
  readonly #endings = new Map<string, Map<string, number>>()
  #worker: Worker | undefined
  #requests = 0
  /** The current uninterruptible work of the thread. */
  #at: { clusterId: string; batchId: string } | undefined

  constructor(options: FoldThreadOptions) {
    this.#options = options
  }

  fold(clusterId: string): Promise<void> {
    const before = this.#lastOf.get(clusterId) ?? Promise.resolve()
    const run = before.catch(() => undefined).then(() => this.#request(clusterId))
    this.#lastOf.set(clusterId, run)
    const forget = () => {
      if (this.#lastOf.get(clusterId) === run) this.#lastOf.delete(clusterId)
    }
    run.then(forget, forget)
    return run
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#lastOf.values())
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
    worker.postMessage({ kind: 'close' } satisfies FoldRequest)
    await ended
  }

  #request(clusterId: string): Promise<void> {
    const worker = (this.#worker ??= this.#start())
    const id = (this.#requests += 1)
    const endings = [...(this.#endings.get(clusterId) ?? [])]
    const aside = endings.filter(([, times]) => times >= endingsMax).map(([batchId]) => batchId)
    return new Promise<void>((resolve, reject) => {
      this.#waiting.set(id, { clusterId, resolve, reject })
      worker.postMessage({ kind: 'fold', id, clusterId, now: this.#options.now(), aside } satisfies FoldRequest)
    })
  }

  #start(): Worker {
    const { databaseUrl, log, memoryMibMax, holder } = this.#options
    const worker = new Worker(foldWorkerFile, {
      workerData: { databaseUrl, logLevel: log.level, holder } satisfies FoldWorkerOptions,
      resourceLimits: { maxOldGenerationSizeMb: memoryMibMax, maxYoungGenerationSizeMb: youngMibMax },
      execArgv: [],
    })
    let cause: unknown
    worker.on('message', (reply: FoldReply) => this.#receive(reply))
    worker.on('error', (error) => (cause = error))
    worker.on('exit', () => this.#end(cause))
    return worker
  }

  #receive(reply: FoldReply): void {
    const waiting = this.#waiting.get(reply.id)
    if (!waiting) return
    if (reply.kind === 'at') {
      const { clusterId } = waiting
      this.#at = reply.batchId === undefined ? undefined : { clusterId, batchId: reply.batchId }
      return
    }
    this.#waiting.delete(reply.id)
    if (reply.kind === 'failed') return waiting.reject(reply.error)
    this.#endings.delete(waiting.clusterId)
    waiting.resolve()
  }

  #end(cause: unknown): void {
    this.#worker = undefined
    if (cause !== undefined) this.#blame(cause)
    this.#at = undefined
    const error = new Error('the batch processing thread stopped', { cause })
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #blame(cause: unknown): void {
    this.#options.log.error({ err: cause, ...this.#at }, 'the batch processing thread stopped')
    if (!this.#at) return
    const { clusterId, batchId } = this.#at
    const endings = this.#endings.get(clusterId) ?? new Map<string, number>()
    this.#endings.set(clusterId, endings.set(batchId, (endings.get(batchId) ?? 0) + 1))
  }
}
