export { groupBy } from './group-by.ts'
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
  SECONDS_PER_DAY,
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
  describeBytes,
  describeMillicores,
  formatBytes,
  formatMillicores,
  isMeasured,
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
export { count } from './count.ts'
export { dayWords } from './day-words.ts'
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
  unmeasuredUse,
  writePod,
  type Lanes,
  type SpanColumns,
} from './allocation/span-columns.ts'

export { efficiency, type Demand, type Efficiency } from './idle/efficiency.ts'
export {
  IDLE_NAMESPACE,
  NO_CLASSES,
  addClasses,
  idleBreakdown,
  type CostClasses,
  type IdleBreakdown,
  type NamespaceQuantities,
  type NodeQuantities,
} from './idle/idle-breakdown.ts'
export { nodeQuantities } from './idle/node-quantities.ts'
export { unpricedShare, type UnpricedShare } from './idle/unpriced-share.ts'
export { usageCoverage, type Coverage } from './idle/usage-coverage.ts'

export { bankFindings, costsOf, creditShares, type Banked, type Credits } from './rules/savings/bank-findings.ts'
export { tellTrial, type Trial } from './rules/tried-before.ts'
export { podRoom } from './rules/facts/pod-room.ts'
export { askAlone } from './rules/savings/frees-alone.ts'
export {
  FACTS,
  SECONDS_STUCK_MIN,
  type AutoscalerFacts,
  type BalancerFacts,
  type ClusterFacts,
  type ContainerFacts,
  type FactName,
  type NamespaceLimits,
  type RoomFacts,
  type ScalingHistory,
  type SizeDecision,
  type StuckPod,
  type UsageFacts,
  type VolumeFacts,
  type WorkloadFacts,
  type WorkloadPrice,
} from './rules/facts/cluster-facts.ts'
export {
  CATEGORIES,
  CHANGE_ACTIONS,
  LEVELS,
  NO_EVIDENCE,
  SEVERITIES,
  targetKey,
  withheldReasons,
  type ContainerSpec,
  type Evidence,
  type Finding,
  type HourlyBand,
  type Percentiles,
  type PriceRow,
  type SavingLine,
  type Target,
  type UnitPrice,
} from './rules/finding.ts'
export { LEFT_OUT } from './rules/left-out.ts'
export { MARKS } from './rules/facts/annotation-names.ts'
export { findingKey, listProposals, workloadPath } from './rules/savings/list-proposals.ts'
export { requestUsd } from './rules/savings/request-usd.ts'
export { isNonProduction } from './rules/facts/non-production.ts'
export {
  NO_PLACEMENT,
  type CheaperSet,
  type ControlPlaneFacts,
  type CronJobFacts,
  type NamespaceFacts,
  type NamespaceRhythm,
  type NodeFacts,
  type NodeFate,
  type PlacementFacts,
  type PoolFacts,
  type QuotaFacts,
} from './rules/facts/object-facts.ts'
export { SEEN_USD_MIN, savingLinesOf } from './rules/savings/saving-lines.ts'
export { severityOf } from './rules/savings/severity.ts'
export { throttledShare } from './rules/facts/throttled.ts'
export { isJob } from './rules/facts/judgeable.ts'
export { markedFloors, markedHeap } from './rules/facts/annotations.ts'
export {
  DEFAULT_POLICY,
  NO_POLICIES,
  isSystemNamespace,
  policyOf,
  type Policies,
  type Policy,
  type PoolScaling,
} from './rules/facts/policy.ts'
export { consolidationBlocked } from './rules/catalogue/consolidation-blocked.ts'
export { containerOverprovisioned } from './rules/catalogue/container-overprovisioned.ts'
export { containerUnderprovisioned } from './rules/catalogue/container-underprovisioned.ts'
export { cpuLimitThrottling } from './rules/catalogue/cpu-limit-throttling.ts'
export { gpuIdle } from './rules/catalogue/gpu-idle.ts'
export { workloadAbandoned } from './rules/catalogue/workload-abandoned.ts'
export { RULES, findRule, ruleShortName } from './rules/catalogue.ts'
export { type Rule } from './rules/rule.ts'
export {
  runRules,
  observer,
  evaluateRules,
  weighFindings,
  type Analysis,
  type Observation,
  type RuleFinding,
  type RuleWithheld,
} from './rules/evaluate.ts'

export { realisedUsd, verifyChange, wayGone, type Failures, type Verification } from './verification/verify-change.ts'

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
export { bankableSavings, packCluster } from './packing/bankable-savings.ts'
export { capShares, type CappedShares } from './packing/cap-shares.ts'
export type {
  BankableSavings,
  ByHandNode,
  FreedNode,
  JointOutcome,
  KeptNode,
  Outcome,
  Packing,
  Share,
  UnblockedNode,
} from './packing/bankable-savings.ts'
export { describeBlocker, isLiftable, type Blocker, type FilterCode, type PodName } from './packing/blocker.ts'
export type {
  DisruptionBudget,
  NodeType,
  PackingCluster,
  PackingNode,
  PackingPod,
  PackingPool,
  PodConstraints,
  PodTerm,
  Room,
  SpreadConstraint,
} from './packing/cluster.ts'
export type { HostPort } from './packing/host-ports.ts'
export { matchesSelector, type LabelSelector, type Requirement } from './packing/label-selector.ts'
export type { NodeSelectorTerm } from './packing/node-affinity.ts'
export type { PodChange, Proposal } from './packing/proposals.ts'
export type { Taint, Toleration } from './packing/taints.ts'
export { workloadRooms, type WorkloadRoom } from './packing/workload-rooms.ts'
export { cheapestOfSets } from './packing/cheapest-of-sets.ts'
export { cheapestNodeSet, type NodeSet, type NodeSetOptions } from './packing/cheapest-node-set.ts'
export {
  HISTOGRAM_DAYS,
  HOURLY_DAYS,
  MEMORY_DAYS,
  NO_SLOTS,
  NO_START_UP,
  SLOT_SECONDS,
  packSlots,
  slotOf,
  slotsBetween,
  summariseUse,
  type ContainerUsage,
  type DailyMemory,
  type HourSummary,
  type HourlyCpu,
  type HourlyMeans,
  type OomKill,
  type SlotHistograms,
  type StartUp,
} from './rightsizing/usage-state.ts'
export { DAILY_BAND, HOURLY_BAND, SHARE_WITH_BAND, keepWithin, type Band } from './rightsizing/band.ts'
export { DIALS, dialFor, type Anchor, type Dial, type DialName } from './rightsizing/dial.ts'
export {
  addContainer,
  openFleet,
  surveyContainer,
  type Fleet,
  type FleetContainer,
  type FleetPolicy,
} from './rightsizing/fleet.ts'
export { type Backtest } from './rightsizing/give-back.ts'
export {
  GUARD_POLICY,
  type CpuUsage,
  type MemoryUsage,
  type SizingFacts,
  type GuardPolicy,
  type Unknown,
  type Withheld,
} from './rightsizing/guards.ts'
export { type Rehearsed } from './rightsizing/rehearsal.ts'
export { findOrdinalOutlier } from './rightsizing/replica-factor.ts'
export { riskClass, type RiskClass } from './rightsizing/risk.ts'
export { decideFleet, settleFleet, type CpuDecision, type FleetDecision } from './rightsizing/decide-fleet.ts'
export {
  VPA_CPU,
  VPA_HALF_LIFE_SECONDS,
  VPA_MEMORY,
  vpaBucketCount,
  vpaBucketOf,
  vpaTarget,
  type VpaParameters,
} from './rightsizing/vpa.ts'
export { unitsAtTop, windowOf, type CpuWindow } from './rightsizing/candidates.ts'
export {
  openHourlyFleet,
  stepHour,
  type HourlyContainer,
  type HourlyFleet,
  type HourlyStep,
} from './rightsizing/hourly-fleet.ts'
export {
  decideMemory,
  shadowVpaMemory,
  type MemoryContainer,
  type MemoryDecision,
  type MemoryFleetDecision,
} from './rightsizing/memory.ts'
export {
  workloadKey,
  type Autoscaler,
  type LimitRange,
  type LiveContainer,
  type LiveWorkload,
  type QuotaLeft,
  type ReleaseSibling,
  type Sizes,
} from './manifests/live-workload.ts'
export { componentOf } from './manifests/helm-guess.ts'
export { leadsIntoList, parseValuesPath, type DeclaredPath, type ValuesPath } from './manifests/helm-places.ts'
export { deliverersOf, originOf } from './manifests/gitops-marks.ts'
export { parseChartMark } from './manifests/helm-words.ts'
export { type ManifestFile, type PathSource } from './manifests/manifest-file.ts'
export { isBuiltIn, type ManifestTarget, type ObjectPatch } from './manifests/object-patch.ts'
export { apiVersions } from './manifests/object-fields.ts'
export { type WantedChange } from './manifests/plan-patches.ts'
export { type ReviewFacts } from './manifests/pull-request.ts'
export { renderManifests, type ManifestRequest, type RenderedManifests } from './manifests/render-manifests.ts'
export { markdownCell, shellWord } from './manifests/safe-text.ts'
export { guarded, ownValues } from './manifests/shell-variables.ts'
export {
  MANIFEST_FORMATS,
  SKIP_CODES,
  type ManifestFormat,
  type Skip,
  type SkipCode,
  type Warning,
} from './manifests/skips.ts'
