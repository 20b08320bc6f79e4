/** Below this share of the whole its pace says little about the rest. */
const shareMin = 0.08
const roundTo = 5

/** One stage after the other, each with the seconds it took on an ordinary machine: only their proportions count. */
export type Stretch = { readonly name: string; readonly seconds: number }

/** How long the rest takes, at the pace at which this machine has come so far. */
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

  /** So much of a stretch is done, and all before it. */
  reached(name: string, share: number): void {
    const at = this.#stretches.findIndex((each) => each.name === name)
    const current = this.#stretches[at]
    if (!current) return
    const seconds = sumOf(this.#stretches.slice(0, at)) + current.seconds * Math.min(1, share)
    const done = seconds / sumOf(this.#stretches)
    if (done >= shareMin) this.#whole = (this.#clock() - this.#began) / done
  }

  /** To be put behind a line; nothing while nobody can know. */
  words(): string {
    if (this.#whole === undefined) return ''
    const left = this.#whole - (this.#clock() - this.#began)
    return left < roundTo ? ', nearly done' : `, about ${roundTo * Math.round(left / roundTo)} s left`
  }
}

const sumOf = (stretches: readonly Stretch[]) => stretches.reduce((sum, { seconds }) => sum + seconds, 0)
