import { fork, type ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Preview } from '@plimsoll/contract'
import type { Deps } from '../../platform/deps.ts'
import { analysisWorkerFile } from '../../directories.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { Analysing, PreviewAsked, Previewing } from '../../platform/background.ts'
import type { AnalysisReply, AnalysisRequest, Asked } from './analysis-listener.ts'

/** Far more than the largest cluster takes; what takes more is stopped before the machine runs out. */
const memoryMibMax = 4096
const idleMsMaxByDefault = 60_000
/** Whoever comes after so many would wait for too long. */
const previewsWaitingMax = 20

export type AnalysisProcessOptions = Pick<Deps, 'log' | 'now'> & {
  databaseUrl: string
  idleMsMax?: number
  /** Somebody waits for what it does, so it yields to nobody. */
  isAwaited?: boolean
}

class ProcessEnded extends Error {}

type Waiting = { resolve: (reply: AnalysisReply) => void; reject: (error: Error) => void }

/**
 * Analyses in a process that starts with the first cluster and ends when there was nothing to do for a while: what it needs to
 * know of a cluster is read each time, so it has nothing to keep, and the memory that a large one took is given back. It
 * yields to whoever answers and folds: nobody waits for it. Previews are asked of one of their own.
 */
export class AnalysisProcess implements Analysing, Previewing {
  readonly #options: AnalysisProcessOptions
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  /** Of all that were started: one may still be closing when the next one starts. */
  #ended: Promise<unknown> = Promise.resolve()
  #requests = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: AnalysisProcessOptions) {
    this.#options = options
  }

  /** Of the process, while there is one. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async analyse(clusterId: string): Promise<void> {
    await this.#ask({ kind: 'analyse', clusterId })
  }

  async preview(asked: PreviewAsked): Promise<Preview> {
    if (this.#waiting.size >= previewsWaitingMax) {
      throw new Problem('service_unavailable', 'Too many previews at the same time. Try again in 5 seconds.', {
        headers: { 'retry-after': '5' },
      })
    }
    const reply = await this.#ask({ kind: 'preview', ...asked }).catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error
      throw new Problem('service_unavailable', 'The preview was interrupted. Try again in 5 seconds.', {
        headers: { 'retry-after': '5' },
        cause: error,
      })
    })
    if (reply.kind !== 'previewed') throw new Error(`a preview was answered with '${reply.kind}'`)
    return reply.preview
  }

  #ask(asked: Asked): Promise<AnalysisReply> {
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    const id = (this.#requests += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      send(child, { ...asked, id, now: this.#options.now() })
    })
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle)
    if (this.#child) send(this.#child, { kind: 'close' })
    await this.#ended
  }

  #start(): ChildProcess {
    const { databaseUrl, log, isAwaited = false } = this.#options
    const child = fork(fileURLToPath(analysisWorkerFile), {
      serialization: 'advanced',
      execArgv: [`--max-old-space-size=${memoryMibMax}`],
    })
    child.on('message', (reply) => this.#hear(reply as AnalysisReply))
    const ended = new Promise<void>((resolve) => {
      const end = (cause: unknown) => {
        this.#end(child, cause)
        resolve()
      }
      child.on('error', end)
      child.on('exit', (code, signal) => end(code === 0 ? undefined : (signal ?? `exit code ${code}`)))
    })
    this.#ended = Promise.all([this.#ended, ended])
    if (!isAwaited) yieldToOthers(child)
    send(child, { kind: 'open', databaseUrl, logLevel: log.level })
    return child
  }

  #hear(reply: AnalysisReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.kind === 'failed') waiting?.reject(errorOf(reply))
    else waiting?.resolve(reply)
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
    if (cause !== undefined) this.#options.log.error({ err: cause }, 'the analysis process stopped')
    if (this.#child !== child) return
    this.#child = undefined
    const error = new ProcessEnded('the analysis process stopped', { cause })
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** What cannot be sent is not lost: whoever waits hears that the process has ended. One that never began cannot be sent to. */
function send(child: ChildProcess, request: AnalysisRequest): void {
  if (child.connected) child.send(request, () => undefined)
}

function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, which is told elsewhere.
  }
}

/** With the code by which a database that is away is told from a mistake of ours. */
const errorOf = ({ message, stack, code }: Extract<AnalysisReply, { kind: 'failed' }>): Error =>
  Object.assign(new Error(message), { stack, ...(code === undefined ? {} : { code }) })
