export { foldLater } from './fold-later.ts'
export { spreadClusters } from './jobs/spread-clusters.ts'
export { loadCheckpoint } from './checkpoint.ts'
export {
  type CloudResourceCostRow,
  listCloudResourcePrices,
  sumCloudResourceCosts,
} from './queries/cloud-resource-prices.ts'
export { deleteOldBackfills, findHistoryReceivedAt } from './queries/backfills.ts'
export { type Cover, type CoveredHours, loadCover, loadHourlyCover, readAtOnce } from './queries/cover.ts'
export { findCheckpointState, listClustersToFold } from './queries/fold-queue.ts'
export { detailDaysKept } from './queries/hours.ts'
export { deleteOldBatches } from './queries/ingest.ts'
export { type KnownNode, listKnownNodes, listNodes, type NodePage, type NodeRow } from './queries/nodes.ts'
export { keepEndPrices, listNodeLives, type NodeLifeRow } from './queries/node-lives.ts'
export { findOpenHour, type OpenHour } from './queries/open-hour.ts'
export { listStatefulMeans } from './queries/pod-hours.ts'
export { type NodeSum, nodeSums, type WorkloadSum, workloadSums } from './queries/quantity-columns.ts'
export { startOfDay } from './queries/rollups.ts'
export { deleteOldRunningTotals } from './queries/running-totals.ts'
export { containerIdOf } from './queries/usage-rows.ts'
export { podDaysKept } from './queries/pod-days.ts'
export { usageDaysKept } from './queries/usage.ts'
export {
  deleteForgottenContainers,
  listContainerNames,
  listNamesakes,
  type WorkloadName,
} from './queries/workload-containers.ts'
