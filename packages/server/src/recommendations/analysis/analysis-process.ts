import { fork, type ChildProcess } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { Estimate, Preview } from '@plimsoll/contract'
import type { Deps } from '../../platform/deps.ts'
import { analysisWorkerFile } from '../../directories.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { Analysing, EstimateRequest, PreviewRequest, Previewing } from '../../platform/background.ts'
import type { AnalysisReply, AnalysisRequest, AnalysisTask } from './analysis-listener.ts'

/** Far more than the largest cluster needs; the limit applies before the machine runs out of memory. */
const memoryMibMax = 4096
const idleMsMaxByDefault = 60_000
/** Further callers would wait too long. */
const previewsWaitingMax = 20

export type AnalysisProcessOptions = Pick<Deps, 'log' | 'now'> & {
  databaseUrl: string
  idleMsMax?: number
  /** A user waits for the result, so it runs at normal priority. */
  isAwaited?: boolean
}

class ProcessEnded extends Error {}

type Waiting = { resolve: (reply: AnalysisReply) => void; reject: (error: Error) => void }

/**
 * Analyzes in a process that starts with the first cluster and ends when idle. It reads all data of a cluster each
 * time, so it holds no state, and its memory is freed. It has a low priority, because no user waits for it. Previews
 * have a separate process.
 */
export class AnalysisProcess implements Analysing, Previewing {
  readonly #options: AnalysisProcessOptions
  readonly #waiting = new Map<number, Waiting>()
  #child: ChildProcess | undefined
  /** Of all started processes: one may still be closing when the next one starts. */
  #ended: Promise<unknown> = Promise.resolve()
  #requests = 0
  #idle: NodeJS.Timeout | undefined

  constructor(options: AnalysisProcessOptions) {
    this.#options = options
  }

  /** The id of the running process. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async analyse(clusterId: string): Promise<void> {
    await this.#ask({ kind: 'analyse', clusterId })
  }

  async preview(request: PreviewRequest): Promise<Preview> {
    const reply = await this.#askForUser({ kind: 'preview', ...request })
    if (reply.kind !== 'previewed') throw new Error(`a preview was answered with '${reply.kind}'`)
    return reply.preview
  }

  async estimate(request: EstimateRequest): Promise<Estimate | undefined> {
    const reply = await this.#askForUser({ kind: 'estimate', ...request })
    if (reply.kind !== 'estimated') throw new Error(`an estimate was answered with '${reply.kind}'`)
    return reply.estimate
  }

  #askForUser(task: AnalysisTask): Promise<AnalysisReply> {
    if (this.#waiting.size >= previewsWaitingMax) {
      throw new Problem('service_unavailable', 'Too many previews at the same time. Try again in 5 seconds.', {
        headers: { 'retry-after': '5' },
      })
    }
    return this.#ask(task).catch((error: unknown) => {
      if (!(error instanceof ProcessEnded)) throw error
      throw new Problem('service_unavailable', 'The preview was interrupted. Try again in 5 seconds.', {
        headers: { 'retry-after': '5' },
        cause: error,
      })
    })
  }

  #ask(task: AnalysisTask): Promise<AnalysisReply> {
    clearTimeout(this.#idle)
    const child = (this.#child ??= this.#start())
    const id = (this.#requests += 1)
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      send(child, { ...task, id, now: this.#options.now() })
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
    child.on('message', (reply) => this.#receive(reply as AnalysisReply))
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

  #receive(reply: AnalysisReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.kind === 'failed') waiting?.reject(errorOf(reply))
    else waiting?.resolve(reply)
    if (this.#waiting.size > 0) return
    const { idleMsMax = idleMsMaxByDefault } = this.#options
    this.#idle = setTimeout(() => this.#retire(), idleMsMax).unref()
  }

  /** The next cluster gets a new process, even while this one is closing. */
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

/**
 * An unsent request is not lost: its caller learns that the process has ended. A process that failed to start has no
 * channel.
 */
function send(child: ChildProcess, request: AnalysisRequest): void {
  if (child.connected) child.send(request, () => undefined)
}

function yieldToOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has already ended, which is reported elsewhere.
  }
}

/** With the code that distinguishes an unavailable database from a bug. */
const errorOf = ({ message, stack, code }: Extract<AnalysisReply, { kind: 'failed' }>): Error =>
  Object.assign(new Error(message), { stack, ...(code === undefined ? {} : { code }) })
