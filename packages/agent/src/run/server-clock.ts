/** A larger jump of either clock starts a new epoch. */
const jumpSecondsMax = 30

/**
 * The server time, derived from a monotonic clock, so that changes of the local clock have no effect. The offset is set
 * once per epoch, so that its minutes are consecutive.
 */
export class ServerClock {
  readonly #monotonic: () => number
  #offset: number
  #newestOffset: number | undefined

  /** In seconds; `serverNow` is the best estimate of the server time. */
  constructor(monotonic: () => number, serverNow: number) {
    this.#monotonic = monotonic
    this.#offset = serverNow - monotonic()
  }

  /** Seconds since 1970. */
  now(): number {
    return this.#monotonic() + this.#offset
  }

  receiveServerTime(serverNow: number): void {
    if (Number.isFinite(serverNow)) this.#newestOffset = serverNow - this.#monotonic()
  }

  hasJumped(): boolean {
    return this.#newestOffset !== undefined && Math.abs(this.#newestOffset - this.#offset) > jumpSecondsMax
  }

  /** Called for a new epoch. */
  adopt(): void {
    this.#offset = this.#newestOffset ?? this.#offset
  }
}
