import type { ClusterFacts, WorkloadFacts } from './cluster-facts.ts'

/** The most that one pod can get of each resource, and the considered nodes. */
export type PodRoom = {
  readonly cpuMillicores: number
  readonly memoryKib: number
  /** `admitting`: nodes that its pods may run on. */
  readonly among: 'admitting' | 'cluster'
}

/**
 * Of the nodes that its pods may run on. If these are unknown, or none accepts its running pods any more, of all nodes
 * of the cluster. Null: no node is known.
 */
export function podRoom(
  { largestNode }: Pick<ClusterFacts, 'largestNode'>,
  { room }: Pick<WorkloadFacts, 'room'>,
): PodRoom | null {
  if (room !== null && room.cpuMillicoresMax > 0 && room.memoryKibMax > 0)
    return { cpuMillicores: room.cpuMillicoresMax, memoryKib: room.memoryKibMax, among: 'admitting' }
  return largestNode && { ...largestNode, among: 'cluster' }
}
