import type { ClusterFacts, WorkloadFacts } from './cluster-facts.ts'

/** The most that one pod can get of each, and of which nodes that is said. */
export type PodRoom = {
  readonly cpuMillicores: number
  readonly memoryKib: number
  /** `admitting`: those that its pods may run on. */
  readonly among: 'admitting' | 'cluster'
}

/**
 * Of the nodes that its pods may run on. Where nobody knows which these are, or none admits them any more although they run, of all
 * nodes of the cluster. Null: no node is known.
 */
export function podRoom(
  { largestNode }: Pick<ClusterFacts, 'largestNode'>,
  { room }: Pick<WorkloadFacts, 'room'>,
): PodRoom | null {
  if (room !== null && room.cpuMillicoresMax > 0 && room.memoryKibMax > 0)
    return { cpuMillicores: room.cpuMillicoresMax, memoryKib: room.memoryKibMax, among: 'admitting' }
  return largestNode && { ...largestNode, among: 'cluster' }
}
