import type { RecommendedChange } from '@plimsoll/contract'
import type { ContainerSpec, Target } from '@plimsoll/engine/rules'

/** What is to be changed, in plain numbers; frozen when somebody approves it. */
export type StoredContent = {
  target: Target
  current: ContainerSpec | null
  recommended: ContainerSpec | null
  change: RecommendedChange
  /** How many pods would go, or those that are stuck, whichever these are by now; absent: none. */
  removesPods?: number | 'stuck'
  /** What is paid for may stay at the provider when the object is gone: that proves no saving. */
  outlivesObject?: true
  /** Nodes that somebody takes away by hand; absent: none. */
  removesNodes?: readonly string[]
  /** What the thing cost: no part of what somebody approves, and so no edit. Absent where it is not known, or not noted yet. */
  costUsdPerMonth?: number
  /** Namespace and name of the claim of the volume it is about; absent: it is about something else, or nobody claims it. */
  claim?: string
  /** Why what leaves the bill is not what was estimated; absent: not noted, or told of another figure than the present one. */
  bankableBecause?: string
}
