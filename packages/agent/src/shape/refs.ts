import { createHash } from 'node:crypto'

/**
 * The numbers that one agent gives to objects, from its first to its last. They begin elsewhere in each epoch, so that a
 * reader that mixes two epochs up is found out.
 */
export class Refs {
  readonly #known = new Map<number, number>()
  #last: number

  constructor(epoch: string) {
    this.#last = createHash('sha256').update(epoch).digest().readUInt16BE(0)
  }

  /** Of the number that the observed object has where it was observed. */
  of(observedRef: number): number {
    const known = this.#known.get(observedRef)
    if (known !== undefined) return known
    this.#last += 1
    this.#known.set(observedRef, this.#last)
    return this.#last
  }
}
