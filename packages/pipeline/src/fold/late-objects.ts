import type { FoldState } from './fold-state.ts'

/**
 * Nodes and pods that a late batch is the first to tell of. Somebody has looked since then and would have listed them: they were
 * gone by that time, and nobody saw them end.
 */
export class LateObjects {
  readonly #state: FoldState
  readonly #lookedAt: number
  readonly #uids = new Set<string>()

  constructor(state: FoldState, observedAt: number) {
    this.#state = state
    this.#lookedAt = Math.min(...[...state.snapshotTimes].filter((at) => at > observedAt))
  }

  /** Before it is added. */
  note(uid: string): void {
    const { nodes, pods } = this.#state.inventory
    if (Number.isFinite(this.#lookedAt) && !nodes.has(uid) && !pods.has(uid)) this.#uids.add(uid)
  }

  /** After they are added. */
  miss(): void {
    const { inventory } = this.#state
    for (const uid of this.#uids) if (inventory.end(uid, this.#lookedAt)) inventory.miss(uid, this.#lookedAt)
  }
}
