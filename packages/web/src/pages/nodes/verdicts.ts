import type { ClusterNode } from '@plimsoll/contract'

type Verdict = ClusterNode['why_still_here']

/** The pool has no autoscaler, so a person must remove the node. */
export const isByHand = (verdict: Verdict) => verdict?.code === 'nobody_scales_the_pool'

const isFree = (verdict: Verdict) => verdict?.code === 'can_go' || isByHand(verdict)

/** Only the blocker keeps the node: its pods fit on other nodes. */
export const isBlocked = (verdict: Verdict) => savingOf(verdict) > 0 && !isFree(verdict)

export const savingOf = (verdict: Verdict) => verdict?.savings ?? 0

type Judged = Pick<ClusterNode, 'ended_at' | 'why_still_here'>

export const isRemovable = ({ ended_at: ended, why_still_here: verdict }: Judged) =>
  ended === null && savingOf(verdict) > 0 && isFree(verdict)

export const isBlockedNode = ({ ended_at: ended, why_still_here: verdict }: Judged) =>
  ended === null && isBlocked(verdict)
