import type { BilledCost, FocusVersion } from '@plimsoll/engine/focus'

/** Plain data, so that it can be sent to another process. */
export type FocusRequest = {
  version: FocusVersion
  format: 'csv' | 'parquet'
  level: 'namespace' | 'workload' | 'pod'
  step: 'day' | 'hour'
  from: Date
  to: Date
  /** Labels, or `team`, that the column Tags contains. */
  tags: readonly string[]
  billed: BilledCost
  clusterIds: readonly string[]
  /** Names the installation in the columns of the billing account. */
  publicUrl: string
}

/** What a file contains. Amounts are exact decimals as text. */
export type FocusTotals = {
  rows: number
  billedCost: string
  contractedCost: string
  effectiveCost: string
  listCost: string
  /** Quantities without a price, which have no row, by unit. */
  unpriced: Record<string, number>
}
