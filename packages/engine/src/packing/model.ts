import { compare } from '../apportion.ts'
import type { DisruptionBudget, PackingCluster, PackingNode, PackingPod, PackingPool } from './cluster.ts'
import { budgetsOfPods } from './disruption-budgets.ts'
import { listNodeKeys, makeKinds, type Kind } from './kinds.ts'
import { listResources, Needs, roomOf } from './needs.ts'
import { makeNodeClasses, type NodeClasses } from './node-classes.ts'
import { makeTopology } from './topology.ts'

/** A cluster with names replaced by numbers and equal things told once. When pods move, only the tallies of kinds change. */
export type Model = {
  /** In the order of their names, so that the order of the input makes no difference. */
  readonly nodes: readonly PackingNode[]
  readonly pods: readonly PackingPod[]
  readonly poolOf: readonly PackingPool[]
  readonly nodeNumbers: ReadonlyMap<string, number>
  readonly resources: readonly string[]
  /** What pods may have of each node, resource by resource. */
  readonly allocatable: Float64Array
  /** Of all nodes; at least 1, because shares of it are compared. */
  readonly total: { readonly cpu: number; readonly memory: number }
  readonly classes: NodeClasses
  readonly kinds: readonly Kind[]
  readonly kindOf: Int32Array
  readonly needs: Needs
  /** Pods without any budget are not in it. */
  readonly budgetsOf: ReadonlyMap<number, readonly DisruptionBudget[]>
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

  const allocatable = new Float64Array(nodes.length * resources.length)
  nodes.forEach((node, index) => allocatable.set(roomOf(node.allocatable, resources), index * resources.length))
  return {
    nodes,
    pods,
    poolOf: nodes.map(({ pool }) => pools.get(pool) ?? { name: pool, kind: 'unmanaged' }),
    nodeNumbers: new Map(nodes.map(({ name }, index) => [name, index])),
    resources,
    allocatable,
    total: {
      cpu: nodes.reduce((sum, node) => sum + node.allocatable.cpu, 1),
      memory: nodes.reduce((sum, node) => sum + node.allocatable.memory, 1),
    },
    classes,
    kinds: kinds.all,
    kindOf: kinds.of,
    needs: new Needs(resources),
    budgetsOf: budgetsOfPods(pods, cluster.budgets ?? []),
  }
}
