export { CONTROL_PLANE_UID, type CloudResourceOwner, type CloudResourceRow } from './cloud-resource-rows.ts'
export { CloudResources } from './cloud-resources.ts'
export { BackfillFold, canBackfill, hoursOf, type StoredHours, type BackfilledHour } from './backfill.ts'
export { capHour, type CappedHour } from './cap-hour.ts'
export { isCheckpointDue } from './checkpoint-due.ts'
export { checkpointParts, restoreState } from './checkpoint.ts'
export { chunks } from './chunks.ts'
export { type ContainerNow, containersNow } from './containers-now.ts'
export { epochsMax } from './epochs.ts'
export { emptyFoldState, type FoldState } from './fold-state.ts'
export { Fold, type FoldedBatch } from './fold.ts'
export type { FoldedHour, HourQuantities } from './finalise-hours.ts'
export type { FoldedContainer, FoldedPod, FoldedUsage } from './folded-usage.ts'
export type { NodeRow, WorkloadRow } from './hour-sums.ts'
export { type ClassifyNode, Inventory, type NodeRecord, type PodRecord, versionAt } from './inventory.ts'
export { type KeptState, KeptStates } from './kept-states.ts'
export type { LiveCloudResources } from './live-cloud-resources.ts'
export { type LiveFigures, liveFigures } from './live-figures.ts'
export { addMinuteUse } from './minute-use.ts'
export { PodSums, podUseColumns, addContainerSums } from './pod-sums.ts'
export { rejectionText } from './rejection-text.ts'
export {
  decodeHistogram,
  emptyHistogram,
  encodeHistogram,
  mergeHistograms,
  minutesIn,
  percentile,
  type UsageHistogram,
} from './usage-histogram.ts'
export { type ContainerKey, keyText, type SteadyUse, UsageSums } from './usage-sums.ts'
