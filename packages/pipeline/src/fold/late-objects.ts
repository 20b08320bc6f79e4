import type { FoldState } from './fold-state.ts'

/**
 * Nodes and pods that a late batch reports first. A snapshot since then did not list them: they had ended, and the end
 * was not observed.
 */
export class LateObjects {
  readonly #state: FoldState
  readonly #lookedAt: number
  readonly #uids = new Set<string>()

  constructor(state: FoldState, observedAt: number) {
    this.#state = state
    this.#lookedAt = Math.min(...[...state.snapshotTimes].filter((at) => at > observedAt))
  }

  /** Called before the object is added. */
  note(uid: string): void {
    const { nodes, pods } = this.#state.inventory
    if (Number.isFinite(this.#lookedAt) && !nodes.has(uid) && !pods.has(uid)) this.#uids.add(uid)
  }

  /** Called after the objects are added. */
  miss(): void {
    const { inventory } = this.#state
    for (const uid of this.#uids) if (inventory.end(uid, this.#lookedAt)) inventory.miss(uid, this.#lookedAt)
  }
}
