import { compare } from '../apportion.ts'
import { limitedVolumes, type PodVolume } from './attach-limits.ts'
import type { PackingCluster, PackingNode, PackingPod, PackingPool } from './cluster.ts'
import { disruptionBudgetsOfPods, type DisruptionBudgetsOf } from './disruption-budgets.ts'
import { isDelicate } from './delicate-pods.ts'
import { listNodeKeys, makeKinds, type Kind } from './kinds.ts'
import { listResources, Needs, capacityOf, type Total } from './needs.ts'
import { makeNodeClasses, type NodeClasses } from './node-classes.ts'
import { makeTopology } from './topology.ts'

/**
 * A cluster with numbers instead of names and shared equal values. When pods move, only the tallies of kinds change.
 */
export type Model = {
  /** Sorted by name, so that the input order does not matter. */
  readonly nodes: readonly PackingNode[]
  readonly pods: readonly PackingPod[]
  readonly poolOf: readonly PackingPool[]
  readonly nodeNumbers: ReadonlyMap<string, number>
  readonly resources: readonly string[]
  /** The allocatable capacity of each node, resource by resource. */
  readonly allocatable: Float64Array
  readonly total: Total
  readonly classes: NodeClasses
  readonly kinds: readonly Kind[]
  readonly kindOf: Int32Array
  readonly needs: Needs
  /** By pod, the index of its current requests. */
  readonly needOf: Int32Array
  readonly priority: Float64Array
  /** By pod, the volumes whose driver has a limit on some node. */
  readonly volumesOf: readonly (readonly PodVolume[])[]
  /** Pods that end with their node and are not placed again: DaemonSet and static pods. */
  readonly leavesWithNode: Uint8Array
  readonly disruptionBudgetsOf: DisruptionBudgetsOf
  /** 1 for pods whose eviction may be blocked. */
  readonly isDelicate: Uint8Array
}

export function makeModel(cluster: PackingCluster): Model {
  const nodes = [...cluster.nodes].sort((a, b) => compare(a.name, b.name))
  const pods = [...cluster.pods].sort((a, b) => compare(a.uid, b.uid))
  const resources = listResources(cluster)
  const topologies = listNodeKeys(pods).map((key) => makeTopology(key, nodes))
  const classes = makeNodeClasses(nodes, topologies)
  const setting = { cluster, nodes, classes, topologies: new Map(topologies.map((each) => [each.key, each])) }
  const kinds = makeKinds(pods, setting)
  const pools = new Map(cluster.pools.map((pool) => [pool.name, pool]))

  const total = {
    cpu: nodes.reduce((sum, node) => sum + node.allocatable.cpu, 1),
    memory: nodes.reduce((sum, node) => sum + node.allocatable.memory, 1),
  }
  const disruptionBudgetsOf = disruptionBudgetsOfPods(pods, cluster.disruptionBudgets ?? [])
  const needs = new Needs(resources, total)
  const allocatable = new Float64Array(nodes.length * resources.length)
  nodes.forEach((node, index) => allocatable.set(capacityOf(node.allocatable, resources), index * resources.length))
  return {
    nodes,
    pods,
    poolOf: nodes.map(({ pool }) => pools.get(pool) ?? { name: pool, kind: 'unmanaged' }),
    nodeNumbers: new Map(nodes.map(({ name }, index) => [name, index])),
    resources,
    allocatable,
    total,
    classes,
    kinds: kinds.all,
    kindOf: kinds.of,
    needs,
    needOf: Int32Array.from(pods, (pod) => needs.idOf(pod)),
    priority: Float64Array.from(pods, ({ priority = 0 }) => priority),
    volumesOf: limitedVolumes(nodes, pods),
    leavesWithNode: Uint8Array.from(pods, ({ owner }) => (owner === 'daemonset' || owner === 'static' ? 1 : 0)),
    disruptionBudgetsOf,
    isDelicate: Uint8Array.from(pods, (pod, index) => (disruptionBudgetsOf[index] || isDelicate(pod) ? 1 : 0)),
  }
}
