import { podRequest } from '../allocation/pod-request.ts'
import { groupBy } from '../group-by.ts'
import { ZONE_LABEL, type PackingCluster, type PackingNode, type PackingPod, type PodConstraints } from './cluster.ts'
import { NO_CONSTRAINTS } from './kinds.ts'
import { findStaticObstacle, onType, staticKey } from './static-filters.ts'

/** The capacity of the nodes that the pods of a workload may run on, in microcores and KiB. */
export type AdmittingCapacity = {
  /** The most that each of its pods can get, alone on a node or on a type that Karpenter may start. */
  readonly cpuMax: number
  readonly memoryMax: number
  /** Unallocated capacity of all these nodes, computed on first use. */
  readonly cpuFree: number
}

/** Nodes that accept pods with the same constraints, and the largest amounts of one node. */
type Place = Pick<AdmittingCapacity, 'cpuMax' | 'memoryMax'> & { readonly nodes: readonly PackingNode[] }

/**
 * Returns the capacity of the nodes that pods of a workload may run on, by taints, node selectors, required node
 * affinity and volume zones. Running pods are ignored. Null: no pod of it is known.
 */
export function admittingCapacities(cluster: PackingCluster): (workload: string) => AdmittingCapacity | null {
  const byWorkload = groupBy(cluster.pods, ({ workload }) => workload)
  const byNode = groupBy(cluster.pods, ({ node }) => node)
  // Thousands of workloads may share the same thousands of nodes.
  const freeOfNode = remembering((node: PackingNode) =>
    Math.max(0, node.allocatable.cpu - cpuRequested(byNode.get(node.name) ?? [])),
  )
  const freeOf = remembering((place: Place) => sum(place.nodes.map(freeOfNode)))
  const freeAcross = remembering((places: readonly Place[]) =>
    // Places may share nodes.
    sum([...new Set(places.flatMap(({ nodes }) => nodes))].map(freeOfNode)),
  )
  const listPlaces = placeLister(cluster)
  return remembering((workload: string) => {
    const places = listPlaces(byWorkload.get(workload) ?? [])
    const [first, ...others] = places
    if (!first) return null
    return {
      // If its pods may run on different nodes, each pod must fit.
      cpuMax: Math.min(...places.map(({ cpuMax }) => cpuMax)),
      memoryMax: Math.min(...places.map(({ memoryMax }) => memoryMax)),
      get cpuFree() {
        return others.length === 0 ? freeOf(first) : freeAcross(places)
      },
    }
  })
}

/** The nodes that accept pods with the same constraints. */
function placeLister({ nodes, pools }: PackingCluster): (pods: readonly PackingPod[]) => Place[] {
  const ownPlaces = new Map(nodes.map((node) => [node.name, { nodes: [node], ...largestOf([node]) }]))
  const places = new Map<string, Place>()
  const placeOf = (wish: PodConstraints): Place => {
    const key = staticKey(wish)
    const place = places.get(key) ?? findPlace(wish, nodes, pools)
    places.set(key, place)
    return place
  }
  return (pods) => {
    const bound = new Set(pods.flatMap((pod) => (staysOnItsNode(pod) ? [pod.node ?? ''] : [])))
    const wishes = new Set(pods.flatMap((pod) => (staysOnItsNode(pod) ? [] : [pod.constraints ?? NO_CONSTRAINTS])))
    return [...[...bound].flatMap((name) => ownPlaces.get(name) ?? []), ...new Set([...wishes].map(placeOf))]
  }
}

/** One pod per node: none moves to another node. */
const staysOnItsNode = ({ owner }: PackingPod) => owner === 'daemonset' || owner === 'static'

function findPlace(wish: PodConstraints, all: readonly PackingNode[], pools: PackingCluster['pools']): Place {
  const nodes = all.filter((node) => findStaticObstacle(wish, node) === undefined)
  return { nodes, ...largestOf([...nodes, ...listStartable(wish, nodes, pools)]) }
}

type Machine = Pick<PackingNode, 'allocatable'>

/** Types that Karpenter can start in addition to these nodes, as it does for a pod that is larger than all of them. */
function listStartable(wish: PodConstraints, nodes: readonly PackingNode[], pools: PackingCluster['pools']): Machine[] {
  const byPool = groupBy(nodes, ({ pool }) => pool)
  return pools.flatMap((pool) => {
    const types = pool.kind === 'karpenter' ? (pool.types ?? []) : []
    if (types.length === 0) return []
    const ofZones = groupBy(byPool.get(pool.name) ?? [], ({ labels }) => labels[ZONE_LABEL])
    const samples = [...ofZones.values()].flatMap(([node]) => node ?? [])
    return types.filter((type) =>
      samples.some((node) => {
        const place = onType(node, type)
        return place !== undefined && findStaticObstacle(wish, place) === undefined
      }),
    )
  })
}

function largestOf(machines: readonly Machine[]): Pick<AdmittingCapacity, 'cpuMax' | 'memoryMax'> {
  const most = (of: 'cpu' | 'memory') =>
    machines.reduce((largest, { allocatable }) => Math.max(largest, allocatable[of]), 0)
  return { cpuMax: most('cpu'), memoryMax: most('memory') }
}

function remembering<Key, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>()
  return (key) => {
    const value = known.get(key) ?? find(key)
    known.set(key, value)
    return value
  }
}

function cpuRequested(pods: readonly PackingPod[]): number {
  return pods.reduce((total, { shape }) => {
    const { containers, pod } = podRequest(shape)
    return total + pod.cpu + sum(containers.map(({ request }) => request.cpu))
  }, 0)
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
