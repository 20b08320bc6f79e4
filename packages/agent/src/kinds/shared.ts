/**
 * Shares one object among equal values: thousands of pods have the same labels and shape. Unused values are
 * garbage-collected.
 */
export class Shared<Value extends object> {
  readonly #known = new Map<string, WeakRef<Value>>()
  #sizeAfterSweep = 0

  of(value: Value): Value {
    const key = JSON.stringify(value)
    const known = this.#known.get(key)?.deref()
    if (known) return known
    this.#known.set(key, new WeakRef(value))
    if (this.#known.size > 2 * this.#sizeAfterSweep + 1000) this.#sweep()
    return value
  }

  #sweep(): void {
    for (const [key, value] of this.#known) if (value.deref() === undefined) this.#known.delete(key)
    this.#sizeAfterSweep = this.#known.size
  }
}

/** Shares one copy of common texts, such as names of namespaces and nodes. */
export class SharedTexts {
  readonly #known = new Map<string, string>()

  of(text: string | undefined): string {
    if (text === undefined || text === '') return ''
    const known = this.#known.get(text)
    if (known !== undefined) return known
    // Clearing all texts at a limit is cheaper than counting their users.
    if (this.#known.size > 100_000) this.#known.clear()
    this.#known.set(text, text)
    return text
  }
}
