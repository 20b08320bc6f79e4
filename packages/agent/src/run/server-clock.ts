/** A jump of the server's clock, or of ours, that is worth a new epoch. */
const jumpSecondsMax = 30

/**
 * The server's time, from a clock of ours that only ever goes forward: whoever sets the clock of this machine moves nothing. Its
 * distance to the server's is taken once for each epoch, so that the minutes of an epoch follow each other.
 */
export class ServerClock {
  readonly #monotonic: () => number
  #offset: number
  #heard: number | undefined

  /** In seconds; `serverNow` is the best guess at the server's time. */
  constructor(monotonic: () => number, serverNow: number) {
    this.#monotonic = monotonic
    this.#offset = serverNow - monotonic()
  }

  /** Seconds since 1970. */
  now(): number {
    return this.#monotonic() + this.#offset
  }

  hear(serverNow: number): void {
    if (Number.isFinite(serverNow)) this.#heard = serverNow - this.#monotonic()
  }

  hasJumped(): boolean {
    return this.#heard !== undefined && Math.abs(this.#heard - this.#offset) > jumpSecondsMax
  }

  /** With a new epoch. */
  adopt(): void {
    this.#offset = this.#heard ?? this.#offset
  }
}
