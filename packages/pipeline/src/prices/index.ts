export { type AssetClass, type AssetKind, parseAssetKey } from './asset-class.ts'
export { type AssetPrice, assetPrice } from './asset-rates.ts'
export type { ClassRate } from './class-rate.ts'
export { classRates } from './class-rates.ts'
export type { ClassRates, PriceEvidence } from './price-evidence.ts'
export { isFullHour, nextHour, startOfHour } from './hours.ts'
export { classifyNode, type ClusterPlace, parseClassKey } from './node-class.ts'
export { dated, listSources, sourceOf } from './price-sources.ts'
export {
  type AssetTerm,
  assetTermsInForce,
  type BookTerm,
  type OverrideTerm,
  type PriceTerms,
  termsInForce,
  type TermsInForce,
} from './price-terms.ts'
export type { Pricing } from './pricing.ts'
