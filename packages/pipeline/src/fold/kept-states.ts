import type { FoldState } from './fold-state.ts'

export type KeptState = {
  readonly state: FoldState
  /** Version of the loaded checkpoint. Another version in the database means that another process has folded. */
  readonly version: number
  /** The price list and overrides that classified the nodes. When they change, the state is loaded again. */
  readonly basis: string
  /** Batches that are in the state and not in the checkpoint, with their time of arrival. */
  readonly unsaved: ReadonlyMap<string, Date>
}

type Kept = { kept: KeptState | undefined; objects: number; usedAt: number }

const forgottenAfterMs = 3_600_000

/** A node or pod takes about a kilobyte. */
const objectsMaxByDefault = 300_000

/**
 * States of the most recently used clusters, held between two runs. A state is taken out while in use, so that a
 * failure leaves no half-changed state.
 */
export class KeptStates {
  readonly #objectsMax: number
  /** In the order of last use. Includes evicted clusters, because they will return. */
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

  /** Whether all clusters folded here fit. If not, a state may be evicted before its next use. */
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
