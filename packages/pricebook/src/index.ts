export { comparePriceBooks, type PriceBookComparison, type PriceChange } from './compare-price-books.ts'
export { describePriceBook, type PriceBookDescription, type ProviderCoverage } from './describe-price-book.ts'
export { type ControlPlaneFee, type ControlPlaneQuery, findControlPlaneFee } from './find-control-plane-fee.ts'
export { findMaxPods, type MaxPods } from './find-max-pods.ts'
export {
  findLoadBalancerPrice,
  findNetworkPrices,
  type LoadBalancerPrice,
  type LoadBalancerQuery,
  type NetworkPrices,
} from './find-network-price.ts'
export { findNodePrice, type NodePrice } from './find-node-price.ts'
export { findServerlessRates, type ServerlessQuery, type ServerlessRates } from './find-serverless-rates.ts'
export { findStoragePrice, type StorageBilling, type StoragePrice, type StorageQuery } from './find-storage-price.ts'
export { canonicalGpuType } from './gpu-names.ts'
export { type CommitmentDiscount, type CommitmentQuery, listCommitmentDiscounts } from './list-commitment-discounts.ts'
export { listNodeTypes, type NodeType } from './list-node-types.ts'
export { embeddedPriceBookUrl, loadPriceBook } from './load-price-book.ts'
export { formatUsd, nanoPerUsd, parseNanoUsd } from './money.ts'
export type { Interruption, NodeOffer } from './node-offer.ts'
export type { NodeQuery } from './node-query.ts'
export { parsePriceBook, PriceBookError } from './parse-price-book.ts'
export type { NominalCapacity, PriceBook } from './price-book.ts'
export type { EstimateReason, Evidence, HourlyPrice, Priced, Unpriced, UnpricedReason } from './price.ts'
export { canonicalProvider, findProvider } from './provider-names.ts'
export {
  findGpuRate,
  findReferenceRates,
  type GpuRate,
  type RatesQuery,
  type ReferenceRates,
} from './reference-rates.ts'
export { canonicalRegion, parentRegion } from './region-names.ts'
export { canonicalStorageClass } from './storage-class-names.ts'
