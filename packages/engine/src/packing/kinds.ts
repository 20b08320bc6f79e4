import { ZONE_LABEL, type PackingPod, type PodConstraints } from './cluster.ts'
import type { Demand } from './demands.ts'
import { Groups, type Setting } from './groups.ts'
import { keysOf } from './label-selector.ts'
import { namesNodes, nodeKeysOf } from './node-affinity.ts'
import { findStaticObstacle, staticKey } from './static-filters.ts'
import type { Topology } from './topology.ts'
import type { HostPort } from './host-ports.ts'

/** Pods that no filter can distinguish, apart from CPU, memory and volumes. */
export type Kind = {
  readonly constraints: PodConstraints
  readonly ports: readonly HostPort[]
  /** Demands with the same result for all nodes of a class, and demands that depend on the node. */
  readonly broad: readonly Demand[]
  readonly narrow: readonly Demand[]
  /** Classes that the static filters admit. */
  readonly admitted: readonly number[]
  /** The nodes themselves, if the constraints of the pod distinguish nodes of one class. */
  readonly chosen?: readonly number[]
  /** How the pod counts for others; see `Groups`. */
  readonly counted: ReturnType<Groups['countedOf']>
  /** Whether the pod counts in any tally; most pods do not. */
  readonly isCounted: boolean
}

/** The node labels that pod constraints use. */
export function listNodeKeys(pods: readonly PackingPod[]): string[] {
  const keys = new Set<string>([ZONE_LABEL])
  for (const constraints of new Set(pods.map((pod) => pod.constraints ?? NO_CONSTRAINTS))) {
    nodeKeysOf(constraints).forEach((key) => keys.add(key))
    for (const { topologyKey } of termsOf(constraints)) keys.add(topologyKey)
  }
  return [...keys].sort()
}

export const NO_CONSTRAINTS: PodConstraints = {}

function termsOf({ podAffinity = [], podAntiAffinity = [], spread = [] }: PodConstraints) {
  return [...podAffinity, ...podAntiAffinity, ...spread]
}

export function makeKinds(pods: readonly PackingPod[], setting: Setting): { all: Kind[]; of: Int32Array } {
  const samples: PackingPod[] = []
  const keyOf = kindKeys(pods)
  const ids = new Map<string, number>()
  const of = Int32Array.from(pods, (pod) => {
    const key = keyOf(pod)
    const id = ids.get(key) ?? samples.push(pod) - 1
    ids.set(key, id)
    return id
  })
  const groups = new Groups(setting)
  const placesOf = memoised((constraints: PodConstraints) => findPlaces(constraints, setting))
  // Every group must be known before the groups of a pod can be determined.
  for (const pod of samples) groups.add(pod.namespace, pod.constraints ?? NO_CONSTRAINTS)
  return { all: samples.map((pod) => makeKind(pod, groups, placesOf)), of }
}

/** Labels such as a template hash differ from pod to pod; only labels in selectors matter. */
function kindKeys(pods: readonly PackingPod[]): (pod: PackingPod) => string {
  const texts = new Map<PodConstraints, string>()
  for (const { constraints = NO_CONSTRAINTS } of pods) {
    if (!texts.has(constraints)) texts.set(constraints, JSON.stringify(constraints))
  }
  const selectors = [...texts.keys()].flatMap(termsOf).flatMap(({ selector }) => (selector ? [selector] : []))
  const labelKeys = [...new Set(selectors.flatMap(keysOf))].sort()
  return ({ namespace, labels, constraints = NO_CONSTRAINTS }) => {
    let key = `${namespace} ${texts.get(constraints)}`
    for (const name of labelKeys) if (name in labels) key += ` ${name}=${labels[name]}`
    return key
  }
}

function makeKind({ namespace, labels, constraints = NO_CONSTRAINTS }: PackingPod, groups: Groups, placesOf: PlacesOf) {
  const own = groups.targetsOf(namespace, labels)
  const demands = groups.demandsOf(namespace, own, constraints)
  const { admitted, chosen } = placesOf(constraints)
  const counted = groups.countedOf(namespace, own, constraints)
  const { hostPorts: ports = [] } = constraints
  return {
    constraints,
    ports,
    broad: demands.filter(({ topology }) => !topology.single),
    narrow: demands.filter(({ topology }) => topology.single),
    admitted,
    ...(chosen ? { chosen } : {}),
    counted,
    isCounted: ports.length > 0 || Object.values(counted).some(({ length }) => length > 0),
  }
}

type Places = Pick<Kind, 'admitted' | 'chosen'>
type PlacesOf = (constraints: PodConstraints) => Places

/** Most pods have the same few node constraints. */
function memoised(find: PlacesOf): PlacesOf {
  const known = new Map<string, Places>()
  return (constraints) => {
    const key = staticKey(constraints)
    const places = known.get(key) ?? find(constraints)
    known.set(key, places)
    return places
  }
}

function findPlaces(constraints: PodConstraints, { nodes, classes, topologies }: Setting): Places {
  const admits = (node: number) => {
    const place = nodes[node]
    return place !== undefined && findStaticObstacle(constraints, place) === undefined
  }
  if (looksAtSingleNodes(constraints, topologies)) {
    return { admitted: [], chosen: nodes.flatMap((_node, index) => (admits(index) ? [index] : [])) }
  }
  return { admitted: classes.all.flatMap(({ first }, id) => (admits(first) ? [id] : [])) }
}

/** By name, or by a label that is different on every node. */
export function looksAtSingleNodes(constraints: PodConstraints, topologies: ReadonlyMap<string, Topology>): boolean {
  const keys = [...nodeKeysOf(constraints), ...(constraints.volumeZones?.length ? [ZONE_LABEL] : [])]
  return namesNodes(constraints) || keys.some((key) => topologies.get(key)?.single)
}
