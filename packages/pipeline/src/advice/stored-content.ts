import type { RecommendedChange } from '@plimsoll/contract'
import type { Action, ContainerSpec, Target } from '@plimsoll/engine/rules'

/** The proposed change in plain numbers; frozen when a user approves it. */
export type StoredContent = {
  target: Target
  current: ContainerSpec | null
  recommended: ContainerSpec | null
  change: RecommendedChange
  /** The number of removed pods, or `stuck` for the pods that are stuck now; absent: none. */
  removesPods?: number | 'stuck'
  /** The provider may keep billing the resource after the object is deleted, so deletion proves no savings. */
  outlivesObject?: true
  /** Nodes that a user removes by hand; absent: none. */
  removesNodes?: readonly string[]
  /** How to carry it out. It is not part of the approved content. Absent: a manifest does, or not stored yet. */
  action?: Action
  /** The cost of the object. It is not part of the approved content. Absent: not known or not stored yet. */
  costUsdPerMonth?: number
  /** Namespace and name of the claim of the volume; absent: no volume, or a volume without a claim. */
  claim?: string
  /** Why the risk is not low. It is not part of the approved content. Absent: no reason, or not stored yet. */
  riskReasons?: readonly string[]
  /** Why bankable savings differ from the estimate; absent: not stored, or stored for another figure. */
  bankableBecause?: string
}
