/**
 * At most so many requests in any sixty seconds. The server counts in windows that open with a request; whichever sixty seconds
 * it looks at, there are not more in them.
 */
export class RequestBudget {
  readonly #perWindow: number
  readonly #windowSeconds: number
  /** When the last of them went out, the oldest first. */
  readonly #sent: number[] = []

  constructor({ perWindow, windowSeconds }: { perWindow: number; windowSeconds: number }) {
    this.#perWindow = perWindow
    this.#windowSeconds = windowSeconds
  }

  /** How long to wait until one more may go out, of which some are kept for what is more urgent. */
  waitSeconds(now: number, kept = 0): number {
    const earlier = this.#sent.at(-(this.#perWindow - kept))
    return earlier === undefined ? 0 : Math.max(0, earlier + this.#windowSeconds - now)
  }

  spend(now: number): void {
    this.#sent.push(now)
    if (this.#sent.length > this.#perWindow) this.#sent.shift()
  }
}
