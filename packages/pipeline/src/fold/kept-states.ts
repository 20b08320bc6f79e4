import type { FoldState } from './fold-state.ts'

export type KeptState = {
  readonly state: FoldState
  /** Of the checkpoint that it has come from; another one in the database means that somebody else has folded. */
  readonly version: number
  /** What nodes are classified by. When that changes, the state is loaded anew. */
  readonly basis: string
  /** Batches that are in the state and not in the checkpoint, and when they were received. */
  readonly unsaved: ReadonlyMap<string, Date>
}

type Kept = { kept: KeptState | undefined; objects: number; usedAt: number }

const forgottenAfterMs = 3_600_000

/** A node or pod takes about a kilobyte. */
const objectsMaxByDefault = 300_000

/**
 * States of clusters between two runs, the most recently used of them. Taken out while they are worked with: if that fails,
 * nobody finds a state that is half changed.
 */
export class KeptStates {
  readonly #objectsMax: number
  /** In the order of their last use; also those that had to go, as they will come back. */
  readonly #clusters = new Map<string, Kept>()

  constructor(objectsMax: number = objectsMaxByDefault) {
    this.#objectsMax = objectsMax
  }

  take(clusterId: string): KeptState | undefined {
    const entry = this.#clusters.get(clusterId)
    const kept = entry?.kept
    if (entry) entry.kept = undefined
    return kept
  }

  put(clusterId: string, kept: KeptState, now: Date): void {
    const objects = countObjects(kept.state)
    this.#clusters.delete(clusterId)
    this.#clusters.set(clusterId, { kept, objects, usedAt: now.getTime() })
    for (const [id, { usedAt }] of this.#clusters) {
      if (usedAt + forgottenAfterMs < now.getTime()) this.#clusters.delete(id)
    }
    this.#dropOldest()
  }

  /** Whether all clusters that are folded here find room. If not, a state may be gone when it is needed next. */
  hasRoomForAll(clusterId: string, state: FoldState): boolean {
    let objects = countObjects(state)
    for (const [id, each] of this.#clusters) if (id !== clusterId) objects += each.objects
    return objects <= this.#objectsMax
  }

  #dropOldest(): void {
    let objects = 0
    for (const entry of [...this.#clusters.values()].reverse()) {
      objects += entry.kept ? entry.objects : 0
      if (objects > this.#objectsMax) entry.kept = undefined
    }
  }
}

export const countObjects = ({ inventory }: FoldState) => inventory.nodes.size + inventory.pods.size
