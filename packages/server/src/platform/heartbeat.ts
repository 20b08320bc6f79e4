/** How often a thread signals that its event loop runs, and how often the main thread checks. */
export const beatEveryMs = 250

export const newBeats = () => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)

/** Counts up while the event loop of this thread runs. Does not keep the thread alive. */
export function startBeating(beats: SharedArrayBuffer, everyMs: number): void {
  const count = new Int32Array(beats)
  setInterval(() => Atomics.add(count, 0, 1), everyMs).unref()
}

/**
 * Checks the heartbeat of another thread. Counts checks instead of reading a clock: a suspended or overloaded machine
 * delays checks as much as beats and does not count as a blocked event loop.
 */
export class Heartbeat {
  readonly #count: Int32Array
  #lastBeat = 0
  #looksWithoutBeat = 0

  constructor(beats: SharedArrayBuffer) {
    this.#count = new Int32Array(beats)
  }

  /** The number of consecutive checks without a beat. Zero until the first beat: loading may take long. */
  look(): number {
    const beat = Atomics.load(this.#count, 0)
    this.#looksWithoutBeat = beat === this.#lastBeat && beat !== 0 ? this.#looksWithoutBeat + 1 : 0
    this.#lastBeat = beat
    return this.#looksWithoutBeat
  }
}
