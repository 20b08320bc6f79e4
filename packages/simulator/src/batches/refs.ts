import { seedOf } from '../random.ts'

/**
 * The numbers that one agent gives to objects, from its first to its last. They begin elsewhere in each epoch, so that a
 * reader that mixes two epochs up is found out.
 */
export class Refs {
  readonly #known: number[] = []
  #last: number

  constructor(epoch: string) {
    this.#last = seedOf(epoch) % 10_000
  }

  of(worldRef: number): number {
    return (this.#known[worldRef] ??= this.#last += 1)
  }
}
