import { createHash } from 'node:crypto'

/**
 * The refs that one agent assigns, in ascending order. Each epoch begins with another ref, so that mixing two epochs is
 * detected.
 */
export class Refs {
  readonly #known = new Map<number, number>()
  #last: number

  constructor(epoch: string) {
    this.#last = createHash('sha256').update(epoch).digest().readUInt16BE(0)
  }

  /** The ref in this log for the ref of the observer. */
  of(observedRef: number): number {
    const known = this.#known.get(observedRef)
    if (known !== undefined) return known
    this.#last += 1
    this.#known.set(observedRef, this.#last)
    return this.#last
  }
}
