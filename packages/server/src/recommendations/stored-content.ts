import type { RecommendedChange } from '@plimsoll/contract'
import type { ContainerSpec, Target } from '@plimsoll/engine'

/** What is to be changed, in plain numbers; frozen when somebody approves it. */
export type StoredContent = {
  target: Target
  current: ContainerSpec | null
  recommended: ContainerSpec | null
  change: RecommendedChange
}
