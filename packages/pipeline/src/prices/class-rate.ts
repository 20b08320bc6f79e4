/** Money of one unit for one second, as numbers: good for estimates, not for sums. Null: no price. */
export type ClassRate = {
  rateId: string
  nodeUsdPerHour: number | null
  cpuUsd: number | null
  memoryUsd: number | null
  /** Of a part of a GPU. */
  gpuUsd: number | null
  estimated: boolean
  /** By the price book; null: somebody set it. */
  source: string | null
  asOf: string | null
}
