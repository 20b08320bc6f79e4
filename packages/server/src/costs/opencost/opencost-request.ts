import type { Aggregate, Filter } from '@plimsoll/engine/opencost'
import type { AskedClusters } from '../asked-clusters.ts'
import type { HourWindow } from '../parse-window.ts'
import type { SetPlan } from './plan-sets.ts'

/** The part of the costs that an answer shows. Plain data, so that it can be posted to another thread. */
type Selection = AskedClusters & {
  window: HourWindow
  plan: SetPlan
  aggregates: readonly Aggregate[]
  filter: Filter
  /** The namespaces and teams that the role of the caller may see. Null: all. */
  namespaces: readonly string[] | null
  visibleTeams: readonly string[] | null
}

export type OpencostAllocationRequest = Selection & {
  kind: 'allocation' | 'summary'
  idle: 'none' | 'separate' | 'shared'
  /** False: overhead, such as the control plane fee, is left out. */
  sharesOverhead: boolean
  hasLabels: boolean
}

export type OpencostNamesRequest = Selection & { kind: 'names'; search: string; limit: number }

export type OpencostAssetsRequest = AskedClusters & {
  kind: 'assets'
  window: HourWindow
  /** Null: all. */
  types: readonly string[] | null
  isList: boolean
}

export type OpencostAssetNamesRequest = AskedClusters & {
  kind: 'asset-names'
  window: HourWindow
  field: AssetField
  search: string
  limit: number
}

export const assetFields = ['name', 'type', 'category', 'cluster', 'provider', 'providerID', 'service'] as const
export type AssetField = (typeof assetFields)[number]

export type OpencostRequest =
  OpencostAllocationRequest | OpencostNamesRequest | OpencostAssetsRequest | OpencostAssetNamesRequest
