type Kept<Value> = { revision: string; value: Value }

/**
 * Figures of a window change only when one of its hours is written. What was computed for the hours as they are is kept,
 * with their revision, and is used for as long as that is the same. Nothing depends on it but time.
 */
export class KeptFigures<Value> {
  readonly #kept = new Map<string, Kept<Value>>()
  readonly #countMax: number

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  async get(key: string, revision: string, compute: () => Promise<Value>): Promise<Value> {
    const known = this.#kept.get(key)
    const value = known?.revision === revision ? known.value : await compute()
    // A map keeps the order of insertion: what was not asked for the longest is the first.
    this.#kept.delete(key)
    this.#kept.set(key, { revision, value })
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= this.#countMax) break
      this.#kept.delete(oldest)
    }
    return value
  }
}
