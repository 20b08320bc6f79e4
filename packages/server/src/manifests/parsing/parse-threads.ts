import type { ParseRequest } from './parse-listener.ts'
import { ParseThread, type Parsed } from './parse-thread.ts'

export type ParseLimits = {
  threadsMax: number
  waitingMax: number
  /** Texts of one caller that are parsed or wait, so that no caller fills the queue alone. */
  perCallerMax: number
  timeMsMax: number
  memoryMibMax: number
}

const defaultLimits: ParseLimits = {
  threadsMax: 2,
  waitingMax: 16,
  perCallerMax: 4,
  timeMsMax: 10_000,
  memoryMibMax: 256,
}

type Turn = (thread: ParseThread | undefined) => void

/** Parses texts of callers outside of the event loop, a few at a time, so that no text can hold the service. */
export class ParseThreads {
  readonly #limits: ParseLimits
  readonly #threads = new Set<ParseThread>()
  readonly #idle: ParseThread[] = []
  readonly #waiting: Turn[] = []
  readonly #textsOf = new Map<string, number>()
  #isClosed = false

  constructor(limits: Partial<ParseLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  async prove(caller: string, request: Omit<ParseRequest, 'kind'>): Promise<Parsed> {
    const texts = this.#textsOf.get(caller) ?? 0
    if (texts >= this.#limits.perCallerMax) return { kind: 'busy' }
    this.#textsOf.set(caller, texts + 1)
    try {
      return await this.#parse(request)
    } finally {
      this.#release(caller)
    }
  }

  async #parse(request: Omit<ParseRequest, 'kind'>): Promise<Parsed> {
    const thread = await this.#take()
    if (!thread) return { kind: 'busy' }
    try {
      return await thread.parse({ kind: 'proof', ...request }, this.#limits.timeMsMax)
    } finally {
      this.#give(thread)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const resume of this.#waiting.splice(0)) resume(undefined)
    await Promise.all([...this.#threads].map((thread) => thread.end()))
  }

  #release(caller: string): void {
    const texts = (this.#textsOf.get(caller) ?? 1) - 1
    if (texts > 0) this.#textsOf.set(caller, texts)
    else this.#textsOf.delete(caller)
  }

  /** Undefined: too many texts wait, or the service stops. */
  async #take(): Promise<ParseThread | undefined> {
    const { threadsMax, waitingMax } = this.#limits
    if (this.#isClosed) return undefined
    const idle = this.#idle.pop()
    if (idle && !idle.hasEnded) return idle
    if (idle) this.#threads.delete(idle)
    if (this.#threads.size < threadsMax) return this.#start()
    if (this.#waiting.length >= waitingMax) return undefined
    return new Promise((resolve: Turn) => this.#waiting.push(resolve))
  }

  #give(thread: ParseThread): void {
    if (thread.hasEnded) this.#threads.delete(thread)
    const next = this.#waiting.shift()
    if (next) next(thread.hasEnded ? this.#start() : thread)
    else if (!thread.hasEnded) this.#idle.push(thread)
  }

  #start(): ParseThread {
    const thread = new ParseThread(this.#limits.memoryMibMax)
    this.#threads.add(thread)
    return thread
  }
}
