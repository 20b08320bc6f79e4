import { Problem } from './http/problem.ts'

export type WorkLimits = {
  runningMax: number
  waitingMax: number
  /** Running and waiting work of one caller, so that no caller fills the queue alone. */
  perCallerMax: number
}

/** Who asks for the work. The signal aborts when the caller no longer waits for the answer. */
export type WorkRequester = { callerId: string; signal: AbortSignal }

/** Runs the work of callers, a few pieces at a time and in the order of their requests. */
export class WorkQueue {
  readonly #limits: WorkLimits
  readonly #waiting = new Set<() => void>()
  readonly #countOf = new Map<string, number>()
  #running = 0

  constructor(limits: WorkLimits) {
    this.#limits = limits
  }

  async run<Result>({ callerId, signal }: WorkRequester, work: () => Promise<Result>): Promise<Result> {
    const { runningMax, waitingMax, perCallerMax } = this.#limits
    const count = this.#countOf.get(callerId) ?? 0
    if (count >= perCallerMax) throw busy(`At most ${perCallerMax} of your requests are computed at a time.`)
    if (this.#running >= runningMax && this.#waiting.size >= waitingMax) throw busy('Too many requests are waiting.')
    this.#countOf.set(callerId, count + 1)
    try {
      await this.#turn(signal)
      return await this.#inTurn(work)
    } finally {
      this.#leave(callerId)
    }
  }

  /** Rejects, and leaves the queue, when the caller goes away before the turn. */
  async #turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw gone()
    if (this.#running < this.#limits.runningMax) {
      this.#running += 1
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(start)
        reject(gone())
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      this.#waiting.add(start)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      this.#endTurn()
    }
  }

  /** The next in the queue takes over the place, so the number of running pieces stays the same. */
  #endTurn(): void {
    const [next] = this.#waiting
    if (!next) return void (this.#running -= 1)
    this.#waiting.delete(next)
    next()
  }

  #leave(callerId: string): void {
    const count = (this.#countOf.get(callerId) ?? 1) - 1
    if (count > 0) this.#countOf.set(callerId, count)
    else this.#countOf.delete(callerId)
  }
}

const busy = (reason: string) =>
  new Problem('service_unavailable', `${reason} Send the request again later.`, { headers: { 'retry-after': '5' } })

/** Nobody reads this answer: a 4xx keeps the closed connection out of the error log. */
const gone = () => new Problem('malformed_request', 'The client closed the connection before the answer.')
