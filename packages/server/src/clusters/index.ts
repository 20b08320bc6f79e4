export {
  demandVisibleClusters,
  demandWholeCluster,
  unknownCluster,
  visibleCluster,
  visibleClusterOfQuery,
  visibleClustersOfQuery,
  visibleNamespaces,
  wholeCluster,
  wrongCluster,
} from './cluster-access.ts'
export { clusterConditions, withIdentity } from './cluster-conditions.ts'
export { presentCluster } from './cluster-view.ts'
export { installCommands, tokenPlaceholder } from './install-commands.ts'
export {
  countNodePrices,
  countOtherWorkloads,
  countQuarantined,
  findClusterPlace,
  findConditions,
  findIdentity,
  findLiveCounts,
  isCollecting,
  type LiveCounts,
  writeConditions,
  writeReportedPlace,
} from './queries/cluster-figures.ts'
export {
  clusterExists,
  type ClusterName,
  type ClusterPlace,
  type ClusterRow,
  findCluster,
  listAllClusters,
  listClusterPlaces,
  listMissingClusters,
  listUnpurgedClusters,
  listVisibleClusters,
} from './queries/clusters.ts'
export { recordConnections } from './queries/connections.ts'
export { holderFlags } from './queries/fold-holder.ts'
export { lockLiveCluster } from './queries/live-cluster.ts'
export { writeRunRate } from './queries/run-rate.ts'
export { deleteOldJobs, failHungSyncs, fulfilSync, isSyncRequested, requestSnapshot } from './queries/sync-jobs.ts'
export { presentAgentToken } from './routes/agent-tokens.ts'
export type { ClusterExtras } from './routes/clusters.ts'
