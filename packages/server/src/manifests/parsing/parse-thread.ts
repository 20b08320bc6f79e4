import { Worker } from 'node:worker_threads'
import { parseWorkerFile } from '../../directories.ts'
import type { Proof } from '../prove-path.ts'
import type { ParseReply, ParseRequest } from './parse-listener.ts'

export type Parsed = Proof | { kind: 'too_slow' } | { kind: 'too_large' } | { kind: 'busy' }

/** One thread, for one text at a time. A text that exceeds its time or memory ends the thread. */
export class ParseThread {
  readonly #worker: Worker
  readonly #ready: Promise<void>
  #settle: (outcome: Parsed | Error) => void = () => undefined
  hasEnded = false

  constructor(memoryMibMax: number) {
    const worker = new Worker(parseWorkerFile, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
      execArgv: [],
    })
    this.#worker = worker
    this.#ready = new Promise((resolve) => worker.once('message', () => resolve()))
    worker.on('message', (reply: ParseReply) => {
      if (reply.kind === 'done') this.#settle(reply.proof)
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      this.hasEnded = true
      this.#settle(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'too_large' } : error)
    })
    worker.on('exit', () => {
      this.hasEnded = true
      this.#settle({ kind: 'busy' })
    })
  }

  /** The time counts from when the thread is ready, without its start. */
  parse(request: ParseRequest, timeMsMax: number): Promise<Parsed> {
    let timer: NodeJS.Timeout | undefined
    this.#worker.ref()
    return new Promise<Parsed>((resolve, reject) => {
      this.#settle = (outcome) => {
        clearTimeout(timer)
        this.#worker.unref()
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome)
      }
      void this.#ready.then(() => {
        timer = setTimeout(() => {
          this.#settle({ kind: 'too_slow' })
          void this.end()
        }, timeMsMax)
        this.#worker.postMessage(request)
      })
    })
  }

  async end(): Promise<void> {
    this.hasEnded = true
    await this.#worker.terminate()
  }
}
