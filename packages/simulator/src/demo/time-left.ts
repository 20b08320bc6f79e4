/** Below this share, the pace is not reliable. */
const shareMin = 0.08
const roundTo = 5

/** A stage with its seconds on an ordinary machine; only the proportions count. */
export type Stretch = { readonly name: string; readonly seconds: number }

/** Estimates the remaining time from the pace of this machine. */
export class TimeLeft {
  readonly #stretches: readonly Stretch[]
  readonly #clock: () => number
  readonly #began: number
  #whole: number | undefined

  constructor(stretches: readonly Stretch[], clock: () => number) {
    this.#stretches = stretches
    this.#clock = clock
    this.#began = clock()
  }

  /** This share of a stage and all earlier stages are done. */
  reached(name: string, share: number): void {
    const at = this.#stretches.findIndex((each) => each.name === name)
    const current = this.#stretches[at]
    if (!current) return
    const seconds = sumOf(this.#stretches.slice(0, at)) + current.seconds * Math.min(1, share)
    const done = seconds / sumOf(this.#stretches)
    if (done >= shareMin) this.#whole = (this.#clock() - this.#began) / done
  }

  /** A suffix for a log line; empty without an estimate. */
  words(): string {
    if (this.#whole === undefined) return ''
    const left = this.#whole - (this.#clock() - this.#began)
    return left < roundTo ? ', nearly done' : `, about ${roundTo * Math.round(left / roundTo)} s left`
  }
}

const sumOf = (stretches: readonly Stretch[]) => stretches.reduce((sum, { seconds }) => sum + seconds, 0)
