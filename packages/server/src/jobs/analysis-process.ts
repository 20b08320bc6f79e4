import { fork, type ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Deps } from '../deps.ts'
import { analysisWorkerFile } from '../directories.ts'
import type { Analysing } from './analysing.ts'
import type { AnalysisReply, AnalysisRequest } from './analysis-listener.ts'

/** Far more than the largest cluster takes; what takes more is stopped before the machine runs out. */
const memoryMibMax = 4096
const idleMsMaxByDefault = 60_000

export type AnalysisProcessOptions = Pick<Deps, 'log' | 'now'> & { databaseUrl: string; idleMsMax?: number }

type Waiting = { resolve: () => void; reject: (error: Error) => void }

/**
 * Analyses in a process that starts with the first cluster and ends when there was nothing to do for a while: what it needs to
 * know of a cluster is read each time, so it has nothing to keep, and the memory that a large one took is given back. It
 * yields to whoever answers and folds: nobody waits for it.
 */
export class AnalysisProcess implements Analysing {
  readonly #options: AnalysisProcessOptions
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  #requests = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: AnalysisProcessOptions) {
    this.#options = options
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  analyse(clusterId: string): Promise<void> {
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    const id = (this.#requests += 1)
    return new Promise<void>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      send(child, { kind: 'analyse', id, clusterId, now: this.#options.now() })
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    if (this.#child) send(this.#child, { kind: 'close' })
    await this.#ended
  }

  #start(): ChildProcess {
    const { databaseUrl, log } = this.#options
    const child = fork(fileURLToPath(analysisWorkerFile), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${memoryMibMax}`],
    })
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    send(child, { kind: 'open', databaseUrl, logLevel: log.level })
    child.on('message', (reply) => this.#hear(reply as AnalysisReply))
    this.#ended = new Promise((resolve) => {
      const end = (cause: unknown) => {
        this.#end(child, cause)
        resolve()
      }
      child.once('error', end)
      child.once('exit', (code, signal) => end(code === 0 ? undefined : (signal ?? `exit code ${code}`)))
    })
    return child
  }

  #hear(reply: AnalysisReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.kind === 'failed') waiting?.reject(reply.error)
    else waiting?.resolve()
    if (this.#waiting.size > 0) return
    const { idleMsMax = idleMsMaxByDefault } = this.#options
    this.#idle = setTimeout(() => this.#retire(), idleMsMax).unref()
  }

  /** The next cluster gets a new one, even while this one is still closing. */
  #retire(): void {
    const child = this.#child
    this.#child = undefined
    if (child) send(child, { kind: 'close' })
  }

  #end(child: ChildProcess, cause: unknown): void {
    if (cause !== undefined) this.#options.log.error({ err: cause }, 'the process that analyses has ended')
    if (this.#child !== child) return
    this.#child = undefined
    const error = new Error('the process that analyses has ended', { cause })
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** What cannot be sent is not lost: whoever ends a process that waits hears of it by its end. */
function send(child: ChildProcess, request: AnalysisRequest): void {
  child.send(request, () => undefined)
}
