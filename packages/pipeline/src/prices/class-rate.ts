/** Price of one unit for one second, as numbers: for estimates, not for sums. Null: no price. */
export type ClassRate = {
  rateId: string
  nodeUsdPerHour: number | null
  cpuUsd: number | null
  memoryUsd: number | null
  /** Per part of a GPU. */
  gpuUsd: number | null
  estimated: boolean
  /** Source in the price list; null: a custom price. */
  source: string | null
  asOf: string | null
}
