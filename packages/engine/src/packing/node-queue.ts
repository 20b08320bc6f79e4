/**
 * Nodes by a key that only grows: the lowest first, ties by node number. A key is computed again when its node is next,
 * and a node with a grown key returns to the queue.
 */
export class NodeQueue {
  readonly #heap: { node: number; key: number }[]
  readonly #keyOf: (node: number) => number

  constructor(nodes: readonly number[], keyOf: (node: number) => number) {
    this.#keyOf = keyOf
    // A sorted array is a heap.
    this.#heap = nodes.map((node) => ({ node, key: keyOf(node) })).sort(inOrder)
  }

  next(): number | undefined {
    for (;;) {
      const [least] = this.#heap
      if (!least) return undefined
      const key = this.#keyOf(least.node)
      if (key <= least.key) {
        const last = this.#heap.pop()
        if (last && last !== least) this.#sink(last)
        return least.node
      }
      this.#sink({ node: least.node, key })
    }
  }

  /** Puts an entry at the top and moves it down to its place. */
  #sink(entry: { node: number; key: number }): void {
    const heap = this.#heap
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      let below = heap[child]
      const other = heap[child + 1]
      if (below && other && inOrder(other, below) < 0) {
        child += 1
        below = other
      }
      if (!below || inOrder(entry, below) <= 0) break
      heap[at] = below
      at = child
    }
    heap[at] = entry
  }
}

function inOrder(a: { node: number; key: number }, b: { node: number; key: number }): number {
  // Infinity minus Infinity is NaN: nodes without a price are equal.
  return a.key === b.key ? a.node - b.node : a.key - b.key
}
