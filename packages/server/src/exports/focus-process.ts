import { fork, type ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { focusWorkerFile } from '../directories.ts'
import { Problem } from '../platform/http/problem.ts'
import { WorkQueue, type WorkLimits, type WorkRequester } from '../platform/work-queue.ts'
import type { Exporting, FocusExport } from './exporting.ts'
import type { FocusReply, FocusTask } from './focus-listener.ts'
import type { FocusRequest, FocusTotals } from './focus/focus-request.ts'

/** Far more than a file needs, because its rows are written in groups. */
const memoryMibMax = 512
const stallMsMaxByDefault = 60_000
const limits: WorkLimits = { runningMax: 2, waitingMax: 20, perCallerMax: 2 }

export type FocusProcessOptions = { databaseUrl: string; log: FastifyBaseLogger; stallMsMax?: number }

/** One process for each file, which ends with it. The pipe makes the process wait for its reader. */
export class FocusProcess implements Exporting {
  readonly #options: FocusProcessOptions
  readonly #queue = new WorkQueue(limits)
  readonly #children = new Set<ChildProcess>()
  #isClosed = false

  constructor(options: FocusProcessOptions) {
    this.#options = options
  }

  /** The ids of the running processes. */
  get pids(): (number | undefined)[] {
    return [...this.#children].map(({ pid }) => pid)
  }

  /** Resolves when it is the turn of the request. The place in the queue is free again when the process has ended. */
  stream(request: FocusRequest, requester: WorkRequester): Promise<FocusExport> {
    return new Promise((resolve, reject) => {
      this.#queue
        .run(requester, async () => {
          const { file, ended } = this.#start(request, requester.signal)
          resolve(file)
          await ended
        })
        .catch(reject)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#children].map((child) => end(child)))
  }

  #start(request: FocusRequest, signal: AbortSignal): { file: FocusExport; ended: Promise<void> } {
    if (this.#isClosed) throw new Problem('service_unavailable', 'The service is stopping.')
    const { databaseUrl, log, stallMsMax = stallMsMaxByDefault } = this.#options
    const child = fork(fileURLToPath(focusWorkerFile), {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
      execArgv: [`--max-old-space-size=${memoryMibMax}`],
    })
    this.#children.add(child)
    const kill = () => void child.kill('SIGKILL')
    signal.addEventListener('abort', kill, { once: true })
    const ended = new Promise<void>((resolve) => {
      const leave = () => {
        this.#children.delete(child)
        signal.removeEventListener('abort', kill)
        resolve()
      }
      child.once('exit', leave)
      child.once('error', leave)
    })
    const totals = totalsOf(child)
    // The reader of the bytes reports the failure; without a reader nobody waits for it.
    totals.catch(() => undefined)
    const task: FocusTask = { databaseUrl, logLevel: log.level, request, stallMsMax }
    child.send(task, () => undefined)
    return { file: { bytes: bytesOf(child, totals), totals }, ended }
  }
}

function totalsOf(child: ChildProcess): Promise<FocusTotals> {
  return new Promise((resolve, reject) => {
    child.once('message', (reply: FocusReply) => {
      if (reply.kind === 'written') resolve(reply.totals)
      else reject(errorOf(reply))
    })
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new Error(`the export process stopped: ${signal ?? `exit code ${code}`}`)),
    )
  })
}

/** The pipe of a process that died ends like that of a complete file, so the end of the file is the reply. */
async function* bytesOf(child: ChildProcess, totals: Promise<FocusTotals>): AsyncGenerator<Uint8Array> {
  try {
    yield* child.stdio[4] as Readable
    await totals
  } finally {
    await end(child)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** With the code that distinguishes an unavailable database from a bug. */
const errorOf = ({ message, stack, code }: Extract<FocusReply, { kind: 'failed' }>): Error =>
  Object.assign(new Error(message), { stack, ...(code === undefined ? {} : { code }) })
