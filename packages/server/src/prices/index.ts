export { ensureRates, type RatesAt } from './ensure-rates.ts'
export { PriceBooks } from './price-books.ts'
export {
  listAssetClasses,
  listUnpricedKinds,
  noteAssetClasses,
  updateAssetClassRates,
  writeAssetClasses,
} from './queries/asset-classes.ts'
export {
  listNodeClasses,
  loadClassRates,
  type NotedClass,
  noteNodeClasses,
  updateNodeClassRates,
  writeNodeClasses,
} from './queries/node-classes.ts'
export { loadPriceTerms } from './queries/price-overrides.ts'
export { assetRateOf, loadRates, nodeRatesOf, type RateIds, type RateRow } from './queries/rates.ts'
export {
  continueRepricing,
  endRepricing,
  listRepricing,
  listStoredRates,
  lockRepricing,
  type StoredHourRate,
} from './queries/repricing.ts'
