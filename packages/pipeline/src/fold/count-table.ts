/** Counts by small integers without an object per entry, because every minute adds hundreds of thousands. */
export class CountTable {
  /** The key plus one; zero is a free place. */
  #keys = new Uint32Array(16)
  #counts = new Uint32Array(16)
  #size = 0

  add(key: number, count: number): void {
    const place = this.#placeOf(key)
    if (this.#keys[place] === 0) {
      this.#keys[place] = key + 1
      this.#size += 1
    }
    this.#counts[place] = (this.#counts[place] ?? 0) + count
    if (this.#size * 2 > this.#keys.length) this.#grow()
  }

  get size(): number {
    return this.#size
  }

  /** In the order of their keys. */
  forEach(visit: (key: number, count: number) => void): void {
    const keys = this.#keys.filter((key) => key !== 0).sort()
    for (const key of keys) visit(key - 1, this.#counts[this.#placeOf(key - 1)] ?? 0)
  }

  #placeOf(key: number): number {
    const mask = this.#keys.length - 1
    let place = (Math.imul(key, 0x9e3779b1) >>> 7) & mask
    while (this.#keys[place] !== 0 && this.#keys[place] !== key + 1) place = (place + 1) & mask
    return place
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts]
    this.#keys = new Uint32Array(4 * keys.length)
    this.#counts = new Uint32Array(4 * keys.length)
    keys.forEach((key, index) => {
      if (key === 0) return
      const place = this.#placeOf(key - 1)
      this.#keys[place] = key
      this.#counts[place] = counts[index] ?? 0
    })
  }
}
