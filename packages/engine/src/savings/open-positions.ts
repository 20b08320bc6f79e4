/** A set of positions below `size`. Each operation takes O(log size): a binary indexed tree counts the members. */
export class OpenPositions {
  readonly #counts: Int32Array
  readonly #isOpen: Uint8Array
  readonly #highestBit: number

  constructor(size: number) {
    this.#counts = new Int32Array(size + 1)
    this.#isOpen = new Uint8Array(size)
    this.#highestBit = size === 0 ? 0 : 2 ** Math.floor(Math.log2(size))
  }

  add(position: number): void {
    if (this.#isOpen[position] === 0) this.#change(position, 1)
  }

  delete(position: number): void {
    if (this.#isOpen[position] === 1) this.#change(position, -1)
  }

  /** The last member below `position`. */
  lastBelow(position: number): number | null {
    const rank = this.#countBelow(position)
    return rank === 0 ? null : this.#select(rank)
  }

  /** The first member at or after `position`. */
  firstFrom(position: number): number | null {
    const rank = this.#countBelow(position) + 1
    return rank > this.#countBelow(this.#isOpen.length) ? null : this.#select(rank)
  }

  #change(position: number, by: 1 | -1): void {
    this.#isOpen[position] = by === 1 ? 1 : 0
    for (let at = position + 1; at < this.#counts.length; at += at & -at) this.#counts[at] = this.#count(at) + by
  }

  #countBelow(position: number): number {
    let sum = 0
    for (let at = position; at > 0; at -= at & -at) sum += this.#count(at)
    return sum
  }

  /** The member with this rank, from 1. */
  #select(rank: number): number {
    let [at, left] = [0, rank]
    for (let step = this.#highestBit; step > 0; step >>= 1) {
      if (at + step < this.#counts.length && this.#count(at + step) < left) {
        at += step
        left -= this.#count(at)
      }
    }
    return at
  }

  #count(at: number): number {
    return this.#counts[at] ?? 0
  }
}
