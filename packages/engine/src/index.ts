export { type Parsed } from './parsed.ts'
export { apportion, type Weighted } from './apportion.ts'
export {
  DECIMAL_PLACES,
  ONE,
  decimal,
  divideRounded,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  roundDecimal,
  roundToNumber,
  type Decimal,
  type DecimalReason,
} from './decimal.ts'
export { parseQuantityNano, type QuantityReason } from './quantity.ts'
export {
  HOURS_PER_MONTH,
  SECONDS_PER_HOUR,
  cutAtChanges,
  intersect,
  secondsOf,
  startOfLocalDay,
  type TimeSpan,
} from './time.ts'
export {
  BYTES_PER_KIB,
  KIB_PER_GIB,
  MICROCORES_PER_CORE,
  MICROCORES_PER_MILLICORE,
  NO_AMOUNTS,
  PARTS_PER_WHOLE,
  RESOURCES,
  formatBytes,
  formatMillicores,
  kibOfBytes,
  parseBytes,
  parseMicrocores,
  parseMillicores,
  type Amounts,
  type ParsedUnits,
  type Resource,
} from './units.ts'

export { adjustNodeCost, type ResourceCosts } from './pricing/adjust-node-cost.ts'
export { assetRate, storageRate, type StoragePrice } from './pricing/asset-rate.ts'
export { customRates, hourlyFromMonthly, monthlyFromHourly, type CustomRates } from './pricing/custom-rates.ts'
export { decideNodePrice, type NodePrice, type NodePriceFacts } from './pricing/decide-node-price.ts'
export { discounted } from './pricing/discount.ts'
export { gpuReference } from './pricing/gpu-reference.ts'
export { nodeRates } from './pricing/node-rates.ts'
export { parsePercent, parsePrice, type PriceReason, type PriceUnit } from './pricing/parse-price.ts'
export {
  NO_CHARGE,
  addCharges,
  chargeFor,
  usdFor,
  type Charge,
  type NodeRates,
  type Rate,
  type UnpricedReason,
} from './pricing/rate.ts'
export { referencePrice, splitNodePrice, type ReferenceRates } from './pricing/split-node-price.ts'

export { allocateColumns, type NodeSize } from './allocation/allocate-columns.ts'
export {
  allocateNode,
  type ContainerUse,
  type NodeAllocation,
  type NodeUse,
  type Use,
} from './allocation/allocate-node.ts'
export { costAsset, costOverhead } from './allocation/cost-asset.ts'
export { costNode } from './allocation/cost-node.ts'
export {
  COMPONENTS,
  chargeOf,
  totalUsd,
  type Component,
  type CostRow,
  type Owner,
  type Unowned,
} from './allocation/cost-row.ts'
export { gpuParts, type GpuNode } from './allocation/gpu-parts.ts'
export { NO_NAME, groupCosts, nameIn, type CostGroup, type Dimension } from './allocation/group-costs.ts'
export { paidSpan, type PaidSpan, type PodLife } from './allocation/paid-span.ts'
export {
  POD_ROW,
  podRequest,
  type ContainerShape,
  type InitContainerShape,
  type PodRequest,
  type PodShape,
} from './allocation/pod-request.ts'
export {
  UNKNOWN_USAGE,
  podSpans,
  type PodFacts,
  type PodSpan,
  type PodVersion,
  type Usage,
  type UsageSample,
} from './allocation/pod-spans.ts'
export {
  autopilotSize,
  fargateLife,
  fargateSize,
  serverlessPod,
  wholeRequest,
  type ServerlessSize,
} from './allocation/serverless-pod.ts'
export { shareBalancer, shareVolume, type AssetShares, type AssetUser } from './allocation/share-asset.ts'
export { shareCosts, type Sharing } from './allocation/share-costs.ts'
export {
  clearSpans,
  makeSpanColumns,
  rowNames,
  writePod,
  type Lanes,
  type SpanColumns,
} from './allocation/span-columns.ts'

export { efficiency, type Demand, type Efficiency } from './idle/efficiency.ts'
export {
  IDLE_NAMESPACE,
  idleBreakdown,
  type CostClasses,
  type IdleBreakdown,
  type NamespaceQuantities,
  type NodeQuantities,
} from './idle/idle-breakdown.ts'
export { nodeQuantities } from './idle/node-quantities.ts'
export { unpricedShare, type UnpricedShare } from './idle/unpriced-share.ts'
export { usageCoverage, type Coverage } from './idle/usage-coverage.ts'

export {
  BUCKET_GROWTH,
  CPU_SCALE,
  CPU_UNITS_PER_MILLICORE,
  EMPTY_HISTOGRAM,
  MEMORY_SCALE,
  MICROCORES_PER_CPU_UNIT,
  bucketOf,
  edgeOf,
  histogramOf,
  isUse,
  mergeHistograms,
  middleOf,
  sampleCount,
  type Histogram,
  type UsageScale,
} from './rightsizing/histogram.ts'
