const half = 30

/** Which of the sixty minutes of an hour have arrived: a minute counts once, from any agent and with any repetition. */
export class MinuteMask {
  #low: number
  #high: number

  constructor(low = 0, high = 0) {
    this.#low = low
    this.#high = high
  }

  has(minute: number): boolean {
    return ((minute < half ? this.#low >>> minute : this.#high >>> (minute - half)) & 1) === 1
  }

  add(minute: number): void {
    if (minute < half) this.#low |= 1 << minute
    else this.#high |= 1 << (minute - half)
  }

  /** The last minute that has arrived before `end`; -1: none. */
  lastBefore(end: number): number {
    for (let minute = end - 1; minute >= 0; minute -= 1) if (this.has(minute)) return minute
    return -1
  }

  /** Runs of missing minutes before `end`, half-open. */
  gaps(end: number): { from: number; to: number }[] {
    const gaps: { from: number; to: number }[] = []
    for (let minute = 0; minute < end; minute += 1) {
      if (this.has(minute)) continue
      const last = gaps.at(-1)
      if (last?.to === minute) last.to = minute + 1
      else gaps.push({ from: minute, to: minute + 1 })
    }
    return gaps
  }

  toJSON(): [number, number] {
    return [this.#low, this.#high]
  }
}
