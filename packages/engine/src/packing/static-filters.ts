import { ZONE_LABEL, type NodeType, type PackingNode, type PodConstraints } from './cluster.ts'
import { matchesNode } from './node-affinity.ts'
import { findUntolerated } from './taints.ts'
import { reachesVolumes } from './volume-zone.ts'

export type StaticFilter = 'taint' | 'node-affinity' | 'volume-zone'

type Place = Pick<PackingNode, 'name' | 'labels' | 'taints'>

/** The first filter that rejects the pod regardless of running pods. */
export function findStaticObstacle(constraints: PodConstraints, node: Place): StaticFilter | undefined {
  if (findUntolerated(node.taints, constraints.tolerations)) return 'taint'
  if (!matchesNode(constraints, node)) return 'node-affinity'
  return reachesVolumes(constraints, node.labels) ? undefined : 'volume-zone'
}

/** Pods with the same key are rejected by the same nodes. */
export const staticKey = ({ tolerations, nodeSelector, nodeAffinity, volumeZones }: PodConstraints): string =>
  JSON.stringify([tolerations, nodeSelector, nodeAffinity, volumeZones])

/** The node with another instance type; undefined: the type is not offered in its zone. */
export function onType(node: Place, type: NodeType): Place | undefined {
  const zone = node.labels[ZONE_LABEL]
  if (type.zones && (zone === undefined || !type.zones.includes(zone))) return undefined
  return {
    name: node.name,
    labels: { ...node.labels, ...type.labels },
    taints: [...(node.taints ?? []), ...(type.taints ?? [])],
  }
}
