export { ensureRates, type RatesAt } from './ensure-rates.ts'
export { PriceBooks } from './price-books.ts'
export {
  listCloudResourceClasses,
  listUnpricedKinds,
  noteCloudResourceClasses,
  updateCloudResourceClassRates,
  writeCloudResourceClasses,
} from './queries/cloud-resource-classes.ts'
export {
  listNodeClasses,
  loadClassRates,
  type NotedClass,
  noteNodeClasses,
  updateNodeClassRates,
  writeNodeClasses,
} from './queries/node-classes.ts'
export { loadPriceTerms } from './queries/price-overrides.ts'
export { cloudResourceRateOf, loadRates, nodeRatesOf, type RateIds, type RateRow } from './queries/rates.ts'
export {
  continueRepricing,
  endRepricing,
  findPriceChange,
  listRepricing,
  listStoredRates,
  lockRepricing,
  type PriceChange,
  type StoredHourRate,
} from './queries/repricing.ts'
