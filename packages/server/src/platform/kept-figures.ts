type Kept<Value> = { revision: string; value: Promise<Value> }

/**
 * Figures of a window change only when one of its hours is written. What was computed for the hours as they are is kept,
 * with their revision, and is used for as long as that is the same. Nothing depends on it but time: whoever asks while it is
 * being computed waits for it, so that an hour that ends is summed up once, not once for each open page.
 */
export class KeptFigures<Value> {
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #countMax: number

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  async get(key: string, revision: string, compute: () => Promise<Value>): Promise<Value> {
    for (;;) {
      const known = this.#kept.get(key)
      if (known?.revision !== revision) return this.#keep(key, { revision, value: compute() })
      try {
        return await this.#keep(key, known)
      } catch {
        // It failed for whoever began it, perhaps because they went away. The first of those who waited begins it again.
      }
    }
  }

  async #keep(key: string, kept: Kept<Value>): Promise<Value> {
    // A map keeps the order of insertion: what was not asked for the longest is the first.
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#countMax) break
      this.#kept.delete(oldest)
    }
    try {
      return await kept.value
    } catch (error) {
      if (this.#kept.get(key) === kept) this.#kept.delete(key)
      throw error
    }
  }
}
