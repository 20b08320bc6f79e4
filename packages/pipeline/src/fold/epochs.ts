import { Gaps } from './gaps.ts'
import type { Epoch, FoldState } from './fold-state.ts'

/** An agent that restarts often creates many epochs. The newest epoch repeats the data of the oldest. */
export const epochsMax = 32

export function openEpoch(epochs: Map<string, Epoch>, id: string): Epoch {
  const known = epochs.get(id)
  if (known) return known
  if (epochs.size >= epochsMax) {
    const [oldest] = [...epochs].sort(([, a], [, b]) => a.observedAt - b.observedAt)
    if (oldest) epochs.delete(oldest[0])
  }
  const epoch: Epoch = { uids: new Map(), listing: undefined, gaps: new Gaps(0), observedAt: 0 }
  epochs.set(id, epoch)
  return epoch
}

/** Forgets numbers of forgotten objects, and epochs whose data would be too late. */
export function forgetEpochs({ epochs, inventory, cloudResources, objects }: FoldState, second: number): void {
  const isKnown = (uid: string) =>
    inventory.nodes.has(uid) || inventory.pods.has(uid) || cloudResources.has(uid) || objects.byUid.has(uid)
  for (const [id, epoch] of epochs) {
    if (epoch.observedAt < second) epochs.delete(id)
    else {
      for (const [ref, uid] of epoch.uids) if (!isKnown(uid)) epoch.uids.delete(ref)
      epoch.gaps.forgetBefore(second)
    }
  }
}
