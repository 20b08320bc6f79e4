import type { ClusterFacts, WorkloadFacts } from './cluster-facts.ts'

/** The most that one pod can get of each resource, and the considered nodes. */
export type PodCapacity = {
  readonly cpuMillicores: number
  readonly memoryKib: number
  /** `admitting`: nodes that its pods may run on. */
  readonly among: 'admitting' | 'cluster'
}

/**
 * Of the nodes that its pods may run on. If these are unknown, or none accepts its running pods any more, of all nodes
 * of the cluster. Null: no node is known.
 */
export function podCapacity(
  { largestNode }: Pick<ClusterFacts, 'largestNode'>,
  { admittingCapacity: admitted }: Pick<WorkloadFacts, 'admittingCapacity'>,
): PodCapacity | null {
  if (admitted !== null && admitted.cpuMillicoresMax > 0 && admitted.memoryKibMax > 0)
    return { cpuMillicores: admitted.cpuMillicoresMax, memoryKib: admitted.memoryKibMax, among: 'admitting' }
  return largestNode && { ...largestNode, among: 'cluster' }
}
