import { Worker } from 'node:worker_threads'
import { incidentsWorkerFile } from '../../directories.ts'
import type { Monitoring } from '../../platform/background.ts'
import type { Deps } from '../../platform/deps.ts'
import { EvaluationTooLong } from './evaluation-too-long.ts'
import type { IncidentsReply, IncidentsWorkerOptions } from './incidents-listener.ts'

const memoryMibMax = 1024

/** A longer evaluation is ended and its hour is skipped. The next hour starts another one. */
const minutesMax = 10

export type IncidentsThreadOptions = Pick<Deps, 'log'> & { databaseUrl: string; evaluationMsMax?: number }

/** One thread for each evaluation, about one an hour. An evaluation that is ended stores nothing. */
export class IncidentsThread implements Monitoring {
  readonly #options: IncidentsThreadOptions
  readonly #workers = new Set<Worker>()

  constructor(options: IncidentsThreadOptions) {
    this.#options = options
  }

  async evaluateIncidents(now: Date, { again }: { again: boolean }): Promise<void> {
    const { databaseUrl, log, evaluationMsMax = minutesMax * 60_000 } = this.#options
    const worker = new Worker(incidentsWorkerFile, {
      workerData: { databaseUrl, logLevel: log.level, now, again } satisfies IncidentsWorkerOptions,
      resourceLimits: { maxOldGenerationSizeMb: memoryMibMax },
      execArgv: [],
    })
    this.#workers.add(worker)
    let isTooLong = false
    const deadline = setTimeout(() => {
      isTooLong = true
      void worker.terminate()
    }, evaluationMsMax)
    try {
      await endOf(worker)
    } catch (error) {
      throw isTooLong ? new EvaluationTooLong(minutesMax) : error
    } finally {
      clearTimeout(deadline)
      this.#workers.delete(worker)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.terminate()))
  }
}

function endOf(worker: Worker): Promise<void> {
  let reply: IncidentsReply = { error: new Error('the thread for incidents ended before the evaluation') }
  worker.on('message', (message: IncidentsReply) => (reply = message))
  worker.on('error', (error) => (reply = { error: error instanceof Error ? error : new Error(String(error)) }))
  return new Promise((resolve, reject) => {
    worker.on('exit', () => (reply.error ? reject(reply.error) : resolve()))
  })
}
