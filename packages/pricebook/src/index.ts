export { comparePriceBooks, type PriceBookComparison, type PriceChange } from './compare-price-books.ts'
export { describePriceBook, type PriceBookDescription, type ProviderCoverage } from './describe-price-book.ts'
export { type ControlPlaneFee, type ControlPlaneQuery, findControlPlaneFee } from './find/find-control-plane-fee.ts'
export { findMaxPods, type MaxPods } from './find/find-max-pods.ts'
export {
  findLoadBalancerPrice,
  findNetworkPrices,
  type LoadBalancerPrice,
  type LoadBalancerQuery,
  type NetworkPrices,
} from './find/find-network-price.ts'
export { findNodePrice, type NodePrice } from './find/find-node-price.ts'
export { findServerlessRates, type ServerlessQuery, type ServerlessRates } from './find/find-serverless-rates.ts'
export {
  findStoragePrice,
  type StorageBilling,
  type StoragePrice,
  type StorageQuery,
} from './find/find-storage-price.ts'
export { canonicalGpuType } from './names/gpu-names.ts'
export {
  type CommitmentDiscount,
  type CommitmentQuery,
  listCommitmentDiscounts,
} from './find/list-commitment-discounts.ts'
export { longestSupported, standardSupportEnd } from './find/standard-support-end.ts'
export { listNodeTypes, type NodeType } from './find/list-node-types.ts'
export { embeddedPriceBookUrl, loadPriceBook } from './parse/load-price-book.ts'
export { formatUsd, nanoPerUsd, parseNanoUsd } from './money.ts'
export type { Interruption, NodeOffer } from './find/node-offer.ts'
export type { NodeQuery } from './find/node-query.ts'
export { parsePriceBook, parsePriceBookInTurns, PriceBookError } from './parse/parse-price-book.ts'
export type { NominalCapacity, PriceBook } from './price-book.ts'
export type { EstimateReason, Evidence, HourlyPrice, Priced, Unpriced, UnpricedReason } from './price.ts'
export { instanceFamily } from './names/instance-family.ts'
export { providerOf, providerOfDriver } from './providers/index.ts'
export type { ServerlessProduct } from './providers/provider.ts'
export { canonicalProvider, findProvider, knownProviders } from './names/provider-names.ts'
export {
  findGpuRate,
  findReferenceRates,
  type GpuRate,
  type RatesQuery,
  type ReferenceRates,
} from './find/reference-rates.ts'
export { canonicalRegion, parentRegion } from './names/region-names.ts'
export { canonicalStorageClass } from './names/storage-class-names.ts'
