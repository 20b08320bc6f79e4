/** How often a thread shows that its event loop turns, and how often the main thread looks. */
export const beatEveryMs = 250

export const newBeats = () => new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)

/** Counts up as long as the event loop of this thread turns. Does not keep the thread alive. */
export function startBeating(beats: SharedArrayBuffer, everyMs: number): void {
  const count = new Int32Array(beats)
  setInterval(() => Atomics.add(count, 0, 1), everyMs).unref()
}

/**
 * Judges the heartbeat of another thread. Counts looks instead of reading a clock: a machine that was suspended, or that
 * has no CPU time to give, delays the looks as much as the beats and is not taken for a blocked event loop.
 */
export class Heartbeat {
  readonly #count: Int32Array
  #lastBeat = 0
  #looksWithoutBeat = 0

  constructor(beats: SharedArrayBuffer) {
    this.#count = new Int32Array(beats)
  }

  /** How many looks in a row have seen no beat. Zero until the first beat: a thread may take its time to load. */
  look(): number {
    const beat = Atomics.load(this.#count, 0)
    this.#looksWithoutBeat = beat === this.#lastBeat && beat !== 0 ? this.#looksWithoutBeat + 1 : 0
    this.#lastBeat = beat
    return this.#looksWithoutBeat
  }
}
