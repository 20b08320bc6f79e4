/**
 * Limits the requests in any sixty seconds. The server counts in windows that open with a request, so this stays below
 * the limit in every window.
 */
export class RequestBudget {
  readonly #perWindow: number
  readonly #windowSeconds: number
  /** The times of the last requests, oldest first. */
  readonly #sent: number[] = []

  constructor({ perWindow, windowSeconds }: { perWindow: number; windowSeconds: number }) {
    this.#perWindow = perWindow
    this.#windowSeconds = windowSeconds
  }

  /** The seconds until the next request is allowed, with some requests reserved for live data. */
  waitSeconds(now: number, kept = 0): number {
    const earlier = this.#sent.at(-(this.#perWindow - kept))
    return earlier === undefined ? 0 : Math.max(0, earlier + this.#windowSeconds - now)
  }

  spend(now: number): void {
    this.#sent.push(now)
    if (this.#sent.length > this.#perWindow) this.#sent.shift()
  }
}
