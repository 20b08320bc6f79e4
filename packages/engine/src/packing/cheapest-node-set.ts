import { compare } from '../apportion.ts'
import { decimal, type Decimal } from '../decimal.ts'
import type { PodName } from './blocker.ts'
import {
  HOSTNAME_LABEL,
  ZONE_LABEL,
  type NodeType,
  type PackingCluster,
  type PackingNode,
  type PackingPod,
} from './cluster.ts'
import { drainNodes } from './drain-nodes.ts'
import { inQueue } from './placing.ts'
import { nameOf } from './find-eviction-blocker.ts'
import { findNode } from './find-node.ts'
import { findShort, Needs, listResources, capacityOf, usdOf, type Need } from './needs.ts'
import { nodeSetBound, usdNumber } from './node-set-bound.ts'
import { known, makeState, put, type State } from './state.ts'
import { findStaticObstacle } from './static-filters.ts'

export type NodeSetOptions = {
  readonly zones: readonly string[]
  /** Share of CPU and memory of every node that is left free. */
  readonly headroomPercent?: number
}

export type NodeSet = {
  readonly nodes: readonly { readonly type: string; readonly zone: string; readonly count: number }[]
  readonly usdPerHour: Decimal
  /** No set of these types costs less, with any packing. */
  readonly lowerBoundUsdPerHour: Decimal
  /** Pods that fit on an empty node of no type; the set omits them. */
  readonly unplaceable: readonly PodName[]
}

const HEADROOM_PERCENT = 10
const ROUNDS_MAX = 12
/** Number of nodes that are tried before a new node is added; draining corrects the rest. */
const OPEN_BINS = 16

/**
 * A cheap set of nodes of some types for all pods of a cluster. Each pod gets the type on which its largest share of a
 * node costs least, and packing those pods gives the number of nodes. The scheduler then places every pod with all its
 * filters, adds nodes for unplaced pods and drains nodes that can go. So the set does hold the pods. It is good, not
 * optimal: the lower bound limits the distance.
 */
export function cheapestNodeSet(
  cluster: PackingCluster,
  types: readonly NodeType[],
  { zones, headroomPercent = HEADROOM_PERCENT }: NodeSetOptions,
): NodeSet {
  const pods = cluster.pods.map(({ node: _anywhere, ...pod }) => pod)
  const daemons = firstOfEach(pods.filter(({ owner }) => owner === 'daemonset'))
  const moving = pods.filter(({ owner }) => owner !== 'daemonset' && owner !== 'static')
  const offers = listOffers(types, zones, headroomPercent)
  const planner = makePlanner({ ...cluster, pods: moving }, offers, daemons)

  const [placeable, unplaceable] = split(moving, planner.isPlaceable)
  let plan = planner.count(placeable, 0)
  let state = simulate(cluster, placeable, daemons, plan)
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const waiting = placeAll(state)
    if (waiting.length === 0) break
    plan = [...plan, ...planner.count(waiting, round)]
    state = simulate(cluster, placeable, daemons, plan)
  }
  const left = placeAll(state)
  drainNodes(
    state,
    state.model.nodes.map((_node, index) => index),
  )
  return describe(state, [...unplaceable, ...left], planner.bound(placeable))
}

/** A type in a zone, minus the safety margin. */
type Offer = { readonly type: NodeType; readonly zone: string }

function listOffers(types: readonly NodeType[], zones: readonly string[], headroomPercent: number): Offer[] {
  const share = (amount: number) => Math.floor((amount * (100 - headroomPercent)) / 100)
  return [...types]
    .sort((a, b) => compare(a.usdPerHour, b.usdPerHour) || compare(a.name, b.name))
    .flatMap((type) => {
      const { cpu, memory } = type.allocatable
      const smaller = { ...type, allocatable: { ...type.allocatable, cpu: share(cpu), memory: share(memory) } }
      return zones.filter((zone) => type.zones?.includes(zone) ?? true).map((zone) => ({ type: smaller, zone }))
    })
}

function makePlanner(cluster: PackingCluster, offers: readonly Offer[], daemons: readonly PackingPod[]) {
  const resources = listResources({ ...cluster, nodes: offers.map((offer) => nodeOf(offer, 0)) })
  const needs = new Needs(resources, { cpu: 1, memory: 1 })
  const needOf = (pod: PackingPod): Need => known(needs.all[needs.idOf(pod)])
  const capacities = offers.map((offer) => emptyCapacity(offer, daemons, resources, needOf))

  const cheapestFor = remembered((pod: PackingPod): number[] => {
    const cost = (index: number) =>
      shareOf(needOf(pod), known(capacities[index])) * usdNumber(known(offers[index]).type)
    const own = offers.flatMap((offer, index) => {
      if (findShort(known(capacities[index]), 0, needOf(pod)) !== undefined) return []
      return findStaticObstacle(pod.constraints ?? {}, nodeOf(offer, 0)) ? [] : [index]
    })
    const least = Math.min(...own.map(cost))
    return own.filter((index) => cost(index) === least)
  }, needOf)
  const count = (pods: readonly PackingPod[], round: number): Offer[] => {
    const open = offers.map((): Float64Array[] => [])
    const bySize = [...pods].sort((a, b) => needOf(b).size - needOf(a).size || compare(a.uid, b.uid))
    bySize.forEach((pod, turn) => {
      // The zones of one type take turns, so that topology spread finds all zones.
      const cheapest = cheapestFor(pod)
      const index = cheapest[(turn + round) % cheapest.length] ?? 0
      const bins = known(open[index])
      const need = needOf(pod)
      let capacity = bins.slice(-OPEN_BINS).find((each) => findShort(each, 0, need) === undefined)
      if (!capacity) bins.push((capacity = known(capacities[index]).slice()))
      take(capacity, need)
    })
    return open.flatMap((bins, index) => bins.map(() => known(offers[index])))
  }
  const bound = (pods: readonly PackingPod[]) => {
    const requested = new Float64Array(resources.length)
    for (const pod of pods)
      needOf(pod).amounts.forEach((amount, each) => (requested[each] = (requested[each] ?? 0) + amount))
    return nodeSetBound(
      requested,
      offers.map(({ type }) => type),
      resources,
    )
  }
  return { isPlaceable: (pod: PackingPod) => cheapestFor(pod).length > 0, count, bound }
}

/** Pods of one workload have the same constraints and the same size. */
function remembered(find: (pod: PackingPod) => number[], needOf: (pod: PackingPod) => Need) {
  const answers = new Map<PackingPod['constraints'], Map<Need, number[]>>()
  return (pod: PackingPod): number[] => {
    const own = answers.get(pod.constraints) ?? new Map<Need, number[]>()
    const answer = own.get(needOf(pod)) ?? find(pod)
    answers.set(pod.constraints, own.set(needOf(pod), answer))
    return answer
  }
}

function emptyCapacity(
  offer: Offer,
  daemons: readonly PackingPod[],
  resources: readonly string[],
  needOf: (pod: PackingPod) => Need,
): Float64Array {
  const capacity = capacityOf(offer.type.allocatable, resources)
  for (const pod of daemons) if (runsOn(pod, offer)) take(capacity, needOf(pod))
  return capacity
}

const runsOn = ({ constraints = {} }: PackingPod, offer: Offer) => !findStaticObstacle(constraints, nodeOf(offer, 0))

function take(capacity: Float64Array, { amounts }: Need): void {
  for (let each = 0; each < capacity.length; each += 1) capacity[each] = (capacity[each] ?? 0) - (amounts[each] ?? 0)
}

/** The part of a node that a pod makes unusable for others: its largest share of any resource. */
function shareOf({ amounts }: Need, capacity: Float64Array): number {
  let most = 0
  amounts.forEach((amount, each) => {
    if (amount > 0) most = Math.max(most, amount / (capacity[each] ?? 0))
  })
  return most
}

const POOL = 'planned'

function nodeOf({ type, zone }: Offer, index: number): PackingNode {
  const name = `${type.name}-${index.toString().padStart(6, '0')}`
  return {
    name,
    pool: POOL,
    usdPerHour: type.usdPerHour,
    allocatable: type.allocatable,
    labels: { [HOSTNAME_LABEL]: name, [ZONE_LABEL]: zone, [TYPE_LABEL]: type.name, ...type.labels },
    ...(type.taints ? { taints: type.taints } : {}),
    ...(type.attachLimits ? { attachLimits: type.attachLimits } : {}),
  }
}

const TYPE_LABEL = 'node.kubernetes.io/instance-type'

/**
 * The planned nodes with their DaemonSets, and every pod pending. No budgets or annotations, because nothing is
 * disrupted.
 */
function simulate(
  cluster: PackingCluster,
  pods: readonly PackingPod[],
  daemons: readonly PackingPod[],
  plan: readonly Offer[],
): State {
  const nodes = plan.map(nodeOf)
  const onNodes = nodes.flatMap((node, index) =>
    daemons
      .filter((pod) => runsOn(pod, known(plan[index])))
      .map((pod) => ({ ...pod, uid: `${pod.uid} on ${node.name}`, node: node.name })),
  )
  const free = pods.map(({ safeToEvict: _s, doNotDisrupt: _d, localStorage: _l, ...pod }) => ({
    ...pod,
    owner: 'controller' as const,
  }))
  return makeState({
    nodes,
    pods: [...free, ...onNodes],
    pools: [{ name: POOL, kind: 'karpenter' }],
    ...(cluster.namespaces ? { namespaces: cluster.namespaces } : {}),
  })
}

/** A pod with affinity may have to wait for its target, so unplaced pods are tried again. */
function placeAll(state: State): PackingPod[] {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const waiting = state.model.pods.flatMap((_pod, index) => (state.nodeOf[index] === -1 ? [index] : []))
    for (const pod of inQueue(state, waiting)) {
      const node = findNode(state, pod)
      if (node >= 0) put(state, pod, node)
    }
  }
  return state.model.pods.filter((_pod, index) => state.nodeOf[index] === -1)
}

function describe(state: State, unplaceable: readonly PackingPod[], bound: number): NodeSet {
  const counts = new Map<string, { type: string; zone: string; count: number }>()
  let usdPerHour = 0n
  state.model.nodes.forEach((node, index) => {
    if (state.gone[index] === 1) return
    const [type = '', zone = ''] = [node.labels[TYPE_LABEL], node.labels[ZONE_LABEL]]
    const own = counts.get(`${type} ${zone}`) ?? { type, zone, count: 0 }
    counts.set(`${type} ${zone}`, { ...own, count: own.count + 1 })
    usdPerHour += usdOf(node)
  })
  return {
    nodes: [...counts.values()].sort((a, b) => compare(a.type, b.type) || compare(a.zone, b.zone)),
    usdPerHour,
    lowerBoundUsdPerHour: BigInt(Math.floor(bound * 1e9)) * decimal('0.000000001'),
    unplaceable: unplaceable.map(nameOf),
  }
}

function firstOfEach(pods: readonly PackingPod[]): PackingPod[] {
  const first = new Map<string, PackingPod>()
  for (const pod of [...pods].sort((a, b) => compare(a.uid, b.uid))) {
    if (!first.has(pod.workload)) first.set(pod.workload, pod)
  }
  return [...first.values()]
}

function split<Value>(values: readonly Value[], belongs: (value: Value) => boolean): [Value[], Value[]] {
  return [values.filter(belongs), values.filter((value) => !belongs(value))]
}
