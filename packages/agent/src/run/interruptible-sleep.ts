/** A sleep that `ring` or an abort ends early. */
export class Bell {
  #wake: (() => void) | undefined
  #isRung = false
  readonly #speed: number

  /** Seconds per real second; above 1 only for simulated time. */
  constructor(speed = 1) {
    this.#speed = speed
  }

  ring(): void {
    this.#isRung = true
    this.#wake?.()
  }

  /** Returns at once if the bell rang since the last call, and after a day at most. */
  async wait(seconds: number, signal: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal.aborted) {
      await new Promise<void>((resolve) => {
        // A timer is needed even for an endless wait, because a process without pending work ends.
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

/** Timers are limited to about 24 days. */
const daySeconds = 86_400
