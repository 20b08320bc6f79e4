type Kept<Value> = { revision: string; value: Promise<Value> }

/**
 * Figures of a window change only when one of its hours is written. A result is cached with the revision of its hours,
 * and used while the revision is the same. Concurrent callers wait for one computation, so that a new hour is summed
 * once and not once for each open page.
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
        // It failed for its caller, who may have disconnected. The first waiting caller starts it again.
      }
    }
  }

  async #keep(key: string, kept: Kept<Value>): Promise<Value> {
    // A map keeps insertion order: the least recently used entry is the first.
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
