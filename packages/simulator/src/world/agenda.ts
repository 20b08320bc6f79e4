type Entry = { readonly at: number; readonly order: number; readonly act: () => void }

/** Future events, earliest first; events of the same second in the order of insertion. A binary heap. */
export class Agenda {
  readonly #entries: Entry[] = []
  #order = 0

  add(at: number, act: () => void): void {
    this.#entries.push({ at, order: (this.#order += 1), act })
    this.#rise(this.#entries.length - 1)
  }

  /** Removes and returns the next event before `second`. */
  takeBefore(second: number): Entry | undefined {
    const first = this.#entries[0]
    if (first === undefined || first.at >= second) return undefined
    const last = this.#entries.pop()
    if (last !== undefined && this.#entries.length > 0) {
      this.#entries[0] = last
      this.#sink(0)
    }
    return first
  }

  #rise(start: number): void {
    let index = start
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (!this.#isBefore(index, parent)) return
      this.#swap(index, parent)
      index = parent
    }
  }

  #sink(start: number): void {
    let index = start
    for (;;) {
      const [left, right] = [2 * index + 1, 2 * index + 2]
      let least = index
      if (this.#isBefore(left, least)) least = left
      if (this.#isBefore(right, least)) least = right
      if (least === index) return
      this.#swap(index, least)
      index = least
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#entries[a], this.#entries[b]]
    if (one === undefined || other === undefined) return false
    return one.at < other.at || (one.at === other.at && one.order < other.order)
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#entries[a], this.#entries[b]]
    if (one === undefined || other === undefined) return
    this.#entries[a] = other
    this.#entries[b] = one
  }
}
