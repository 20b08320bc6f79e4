import type { PackingNode, PodConstraints } from './cluster.ts'
import { matchesNode } from './node-affinity.ts'
import { findUntolerated } from './taints.ts'
import { reachesVolumes } from './volume-zone.ts'

export type StaticFilter = 'taint' | 'node-affinity' | 'volume-zone'

type Place = Pick<PackingNode, 'name' | 'labels' | 'taints'>

/** The first filter that keeps the pod away whatever else runs on the node. */
export function findStaticObstacle(constraints: PodConstraints, node: Place): StaticFilter | undefined {
  if (findUntolerated(node.taints, constraints.tolerations)) return 'taint'
  if (!matchesNode(constraints, node)) return 'node-affinity'
  return reachesVolumes(constraints, node.labels) ? undefined : 'volume-zone'
}
