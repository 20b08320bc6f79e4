import { podRequest } from '../allocation/pod-request.ts'
import { groupBy } from '../group-by.ts'
import type { PackingCluster, PackingNode, PackingPod, PodConstraints } from './cluster.ts'
import { NO_CONSTRAINTS } from './kinds.ts'
import { findStaticObstacle } from './static-filters.ts'

/** CPU of the nodes that the pods of a workload may run on, in microcores. */
export type WorkloadRoom = {
  /** What each of its pods can get at most, alone on a node. */
  readonly cpuMax: number
  /** What nobody asks for, of all these nodes together. */
  readonly cpuFree: number
}

/**
 * Says what there is where pods of a workload may run, by taints, node selectors, required node affinity and the zones of volumes.
 * Which other pods run there keeps nobody away here. Null: no pod of it is known.
 */
export function workloadRooms({ nodes, pods }: PackingCluster): (workload: string) => WorkloadRoom | null {
  const byWorkload = groupBy(pods, ({ workload }) => workload)
  const byNode = groupBy(pods, ({ node }) => node)
  // Hundreds of workloads may run on the same thousands of nodes.
  const freeOf = remembering((node: PackingNode) =>
    Math.max(0, node.allocatable.cpu - cpuAsked(byNode.get(node.name) ?? [])),
  )
  const placesOf = remembering((wish: PodConstraints) =>
    nodes.filter((node) => findStaticObstacle(wish, node) === undefined),
  )
  return (workload) => {
    const places = listPlaces(byWorkload.get(workload) ?? [], nodes, placesOf)
    if (places.length === 0) return null
    const all = [...new Set(places.flat())]
    return {
      // Where its pods may run on different nodes, each of them has to fit.
      cpuMax: Math.min(...places.map(largestCpu)),
      cpuFree: all.reduce((sum, node) => sum + freeOf(node), 0),
    }
  }
}

/** For pods that want the same, the nodes that admit them. */
function listPlaces(
  pods: readonly PackingPod[],
  nodes: readonly PackingNode[],
  placesOf: (wish: PodConstraints) => PackingNode[],
): PackingNode[][] {
  const bound = new Set(pods.filter(staysOnItsNode).map(({ node }) => node))
  const wishes = new Set(pods.flatMap((pod) => (staysOnItsNode(pod) ? [] : [pod.constraints ?? NO_CONSTRAINTS])))
  return [...nodes.filter(({ name }) => bound.has(name)).map((node) => [node]), ...[...wishes].map(placesOf)]
}

/** There is one for each node: none of them goes elsewhere, whatever else it says. */
const staysOnItsNode = ({ owner }: PackingPod) => owner === 'daemonset' || owner === 'static'

const largestCpu = (nodes: readonly PackingNode[]) =>
  nodes.reduce((largest, { allocatable }) => Math.max(largest, allocatable.cpu), 0)

function remembering<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? find(key)
    known.set(key, value)
    return value
  }
}

function cpuAsked(pods: readonly PackingPod[]): number {
  return pods.reduce((sum, { shape }) => {
    const { containers, pod } = podRequest(shape)
    return containers.reduce((total, { request }) => total + request.cpu, sum + pod.cpu)
  }, 0)
}
