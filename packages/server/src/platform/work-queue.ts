import { Problem } from './http/problem.ts'

export type WorkLimits = {
  runningMax: number
  waitingMax: number
  /** Running and waiting work of one caller, so that no caller fills the queue alone. */
  perCallerMax: number
}

/** The caller of the work. The signal aborts when the caller no longer waits for the response. */
export type WorkRequester = { callerId: string; signal: AbortSignal }

type Waiting = { callerId: string; start: () => void }

/**
 * Runs the work of callers, a few pieces at a time and in the order of their requests. A caller without running work
 * goes first, so that one caller does not hold every slot while others wait.
 */
export class WorkQueue {
  readonly #limits: WorkLimits
  readonly #waiting = new Set<Waiting>()
  readonly #countOf = new Map<string, number>()
  /** The caller of each running piece. */
  readonly #running: string[] = []

  constructor(limits: WorkLimits) {
    this.#limits = limits
  }

  async run<Result>({ callerId, signal }: WorkRequester, work: () => Promise<Result>): Promise<Result> {
    const { runningMax, waitingMax, perCallerMax } = this.#limits
    const count = this.#countOf.get(callerId) ?? 0
    if (count >= perCallerMax) throw busy(`At most ${perCallerMax} of your requests run at the same time.`)
    if (this.#running.length >= runningMax && this.#waiting.size >= waitingMax)
      throw busy('Too many requests are waiting.')
    this.#countOf.set(callerId, count + 1)
    try {
      await this.#turn(callerId, signal)
      return await this.#inTurn(callerId, work)
    } finally {
      this.#leave(callerId)
    }
  }

  /** Rejects, and leaves the queue, when the caller disconnects before the turn. */
  async #turn(callerId: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw gone()
    if (this.#running.length < this.#limits.runningMax) {
      this.#running.push(callerId)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting)
        reject(gone())
      }
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const waiting = { callerId, start }
      this.#waiting.add(waiting)
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  async #inTurn<Result>(callerId: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } finally {
      this.#running.splice(this.#running.indexOf(callerId), 1)
      this.#startNext()
    }
  }

  #startNext(): void {
    const waiting = [...this.#waiting]
    const next = waiting.find(({ callerId }) => !this.#running.includes(callerId)) ?? waiting[0]
    if (!next) return
    this.#waiting.delete(next)
    this.#running.push(next.callerId)
    next.start()
  }

  #leave(callerId: string): void {
    const count = (this.#countOf.get(callerId) ?? 1) - 1
    if (count > 0) this.#countOf.set(callerId, count)
    else this.#countOf.delete(callerId)
  }
}

const busy = (reason: string) =>
  new Problem('service_unavailable', `${reason} Send the request again later.`, { headers: { 'retry-after': '5' } })

/** No client reads this response: a 4xx keeps the closed connection out of the error log. */
export const gone = () =>
  new Problem('malformed_request', 'The client closed the connection before the response was ready.')
