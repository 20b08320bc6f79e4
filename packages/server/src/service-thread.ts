import { Worker } from 'node:worker_threads'
import type { FastifyBaseLogger } from 'fastify'
import { serviceWorkerFile } from './directories.ts'
import type { FirstAdmin } from './people/first-admin.ts'
import { beatEveryMs, Heartbeat, newBeats } from './platform/heartbeat.ts'
import type { ServiceReply, ServiceWorkerData } from './service-listener.ts'
import type { ServiceConfig } from './service.ts'
import { StartupError } from './platform/startup-error.ts'

export type BlockedLimits = {
  /** An event loop that is blocked for this long does not recover. */
  runningMsMax: number
  /** Shorter than the grace period of a supervisor, usually 30 s, in which the database must stop as well. */
  stoppingMsMax: number
}

const defaultLimits: BlockedLimits = { runningMsMax: 30_000, stoppingMsMax: 10_000 }

export type ServiceEnd =
  | { kind: 'stopped' }
  /** `isTerminated` is false if the engine could not interrupt the thread. */
  | { kind: 'blocked'; isTerminated: boolean }
  | { kind: 'failed'; error: unknown }

const terminateMsMax = 5000

export type ServiceThreadOptions = {
  config: ServiceConfig
  log: FastifyBaseLogger
  limits?: BlockedLimits
  file?: URL
}

/**
 * Runs the service in a separate thread. Node delivers signals to the main thread, so the main thread does no blocking
 * work: it handles SIGTERM and watches the event loop of the service.
 */
export class ServiceThread {
  readonly #worker: Worker
  readonly #log: FastifyBaseLogger
  readonly #limits: BlockedLimits
  readonly #heartbeat: Heartbeat
  #isStopping = false
  /** Never rejects: how the thread ended. */
  readonly ended: Promise<ServiceEnd>
  readonly started: Promise<FirstAdmin>

  constructor({ config, log, limits = defaultLimits, file = serviceWorkerFile }: ServiceThreadOptions) {
    const beats = newBeats()
    this.#log = log
    this.#limits = limits
    this.#heartbeat = new Heartbeat(beats)
    this.#worker = new Worker(file, { workerData: { config, beats } satisfies ServiceWorkerData })
    this.ended = this.#watch()
    this.started = this.#start()
  }

  /** A thread with a blocked event loop is ended as well. */
  stop(): void {
    this.#isStopping = true
    this.#worker.postMessage('stop')
  }

  async #start(): Promise<FirstAdmin> {
    const first = await Promise.race([this.#reply(), this.ended])
    if (first.kind === 'started') return first.firstAdmin
    if (first.kind === 'refused') throw new StartupError(first.message)
    if (first.kind === 'failed') throw first.error
    throw new StartupError('The service stopped during the start.')
  }

  #reply(): Promise<ServiceReply> {
    return new Promise((resolve) => this.#worker.once('message', resolve))
  }

  #watch(): Promise<ServiceEnd> {
    return new Promise((resolve) => {
      let end: ServiceEnd = { kind: 'stopped' }
      const looking = setInterval(() => {
        const blockedMs = this.#heartbeat.look() * beatEveryMs
        if (blockedMs < this.#blockedMsMax()) return
        clearInterval(looking)
        this.#logBlocked(blockedMs)
        end = { kind: 'blocked', isTerminated: true }
        setTimeout(() => resolve({ kind: 'blocked', isTerminated: false }), terminateMsMax)
        void this.#worker.terminate()
      }, beatEveryMs)
      this.#worker.on('error', (error) => (end = { kind: 'failed', error }))
      this.#worker.on('exit', () => {
        clearInterval(looking)
        resolve(end)
      })
    })
  }

  #blockedMsMax(): number {
    return this.#isStopping ? this.#limits.stoppingMsMax : this.#limits.runningMsMax
  }

  #logBlocked(blockedMs: number): void {
    const facts = { blocked_seconds: Math.round(blockedMs / 1000), stopping: this.#isStopping }
    this.#log.fatal(facts, 'the event loop is blocked; exiting so that the supervisor restarts the process')
  }
}
