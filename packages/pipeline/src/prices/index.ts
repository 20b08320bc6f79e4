export { type CloudResourceClass, type CloudResourceKind, parseCloudResourceKey } from './cloud-resource-class.ts'
export { type CloudResourcePrice, cloudResourcePrice } from './cloud-resource-rates.ts'
export type { ClassRate } from './class-rate.ts'
export { classRates } from './class-rates.ts'
export type { ClassRates, PriceEvidence } from './price-evidence.ts'
export { describeClass } from './describe-class.ts'
export { isFullHour, nextHour, startOfHour } from './hours.ts'
export { classifyNode, type ClusterPlace, parseClassKey } from './node-class.ts'
export { dated, listSources, sourceOf } from './price-sources.ts'
export {
  type CloudResourceTerm,
  cloudResourceTermsInForce,
  type BookTerm,
  type OverrideTerm,
  type PriceTerms,
  termsInForce,
  type TermsInForce,
} from './price-terms.ts'
export type { Pricing } from './pricing.ts'
