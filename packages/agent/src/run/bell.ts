/** Sleeping that can be cut short: by whoever rings, and by the end. */
export class Bell {
  #wake: (() => void) | undefined
  #isRung = false
  readonly #speed: number

  /** How many seconds pass in one; more than one only where time is made up. */
  constructor(speed = 1) {
    this.#speed = speed
  }

  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** At once when it was rung since the last time, and never longer than a day. */
  async wait(seconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        // Also for ever: a process in which nothing is waited for ends.
        const timer = setTimeout(resolve, (Math.min(seconds, daySeconds) * 1000) / this.#speed)
        const end = () => resolve()
        signal.addEventListener('abort', end, { once: true })
        this.#wake = () => {
          clearTimeout(timer)
          signal.removeEventListener('abort', end)
          resolve()
        }
      })
      this.#wake?.()
    }
    this.#wake = undefined
    this.#isRung = false
  }
}

/** A timer cannot be set for longer than some weeks. */
const daySeconds = 86_400
