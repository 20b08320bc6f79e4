import { unreadableKinds, type AgentFacts, type Batch, type ObjectKind } from '@plimsoll/contract'
import type { Epoch, FoldState } from './fold-state.ts'
import { LastSeen } from './last-seen.ts'

const none = { ref: [] }

/** A snapshot takes effect when all its parts have arrived. Returns whether they have. */
export function listSnapshot(
  state: FoldState,
  epoch: Epoch,
  batch: Batch,
  { id, part, parts, observed_at: at }: NonNullable<Batch['snapshot']>,
): boolean {
  const listing = epoch.listing?.id === id ? epoch.listing : { id, parts: new Set<number>(), uids: new Set<string>() }
  epoch.listing = listing
  listing.parts.add(part)
  const tables = [batch.nodes, batch.pods, batch.volumes, batch.balancers, batch.namespaces, batch.objects]
  for (const { ref: refs } of tables.map((each) => each ?? none)) {
    for (const ref of refs) listing.uids.add(epoch.uids.get(ref) ?? '')
  }
  if (listing.parts.size < parts) return false
  const { inventory, cloudResources, objects } = state
  const isLate = at < inventory.lastMissedAt
  const { newsFrom, hasMissed } = inventory.settle(listing.uids, at)
  // A missed object was counted up to the last observation, and so was an object that is listed again.
  const isOtherBefore = hasMissed || isLate || newsFrom < at
  cloudResources.noteChange(isOtherBefore ? new LastSeen(state).before(newsFrom) : newsFrom)
  state.snapshotTimes.add(at)
  cloudResources.settle(listing.uids, at, unreadableKinds(batch.agent))
  objects.settle(listing.uids, at, readableKinds(batch.agent))
  epoch.gaps.settle(at)
  epoch.listing = undefined
  return true
}

/** Agents that do not send `watches` send none of these objects. */
const readableKinds =
  ({ watches }: AgentFacts) =>
  (kind: ObjectKind) =>
    watches === undefined || watches.includes(kind)
