import { HOSTNAME_LABEL, ZONE_LABEL } from './cluster.ts'
import type { Model } from './model.ts'
import { CPU, MEMORY } from './needs.ts'
import type { Feasible } from './sample-blocks.ts'
import { needOf, type State } from './state.ts'
import { append } from './targets.ts'

const SCORE_MAX = 100
const SPREAD_WEIGHT = 2
/** The default constraints of the scheduler for pods without constraints of their own. */
const ZONE_SKEW = 3
const HOST_SKEW = 5

/**
 * The scores of the default scheduler profile for these feasible nodes: LeastAllocated, BalancedAllocation and topology
 * spread. Scores are whole numbers, so several nodes often share the highest one. Returns the highest one.
 */
export function scoreNodes(state: State, pod: number, feasible: Feasible): number {
  if ((state.model.pods[pod]?.constraints?.spread ?? []).length === 0) setSpread(state, pod, feasible)
  else feasible.scores.fill(0, 0, feasible.count)
  return addResources(state, pod, feasible)
}

/** With the pod on the node. One pass without calls per node, because much of the time of a plan is spent here. */
function addResources(state: State, pod: number, { nodes, scores, count }: Feasible): number {
  const { scored, model } = state
  const { allocatable } = model
  const { scoreCpu, scoreMemory } = needOf(state, pod)
  const width = model.resources.length
  let most = -Infinity
  for (let index = 0; index < count; index += 1) {
    const node = nodes[index] ?? -1
    const cpu = freeShare((scored[2 * node] ?? 0) - scoreCpu, allocatable[node * width + CPU] ?? 0)
    const memory = freeShare((scored[2 * node + 1] ?? 0) - scoreMemory, allocatable[node * width + MEMORY] ?? 0)
    const least = Math.floor((Math.floor(SCORE_MAX * cpu) + Math.floor(SCORE_MAX * memory)) / 2)
    const balanced = Math.floor(SCORE_MAX * (1 - Math.abs(cpu - memory) / 2))
    const score = (scores[index] ?? 0) + least + balanced
    scores[index] = score
    if (score > most) most = score
  }
  return most
}

const freeShare = (left: number, all: number): number => (all > 0 ? Math.max(0, left / all) : 0)

/** Nodes with equal numbers of pods of the workload in their zone and on themselves have equal scores. */
function setSpread({ model, nodeOf }: State, pod: number, { nodes, scores, count }: Feasible): void {
  const zones = topologyOf(model, ZONE_LABEL)
  const hosts = topologyOf(model, HOSTNAME_LABEL)
  const siblings = siblingsOf(model, pod)
  countPods(zones, siblings, nodeOf, 1)
  countPods(hosts, siblings, nodeOf, 1)
  const zoneWeight = Math.log(countDistinct(zones, nodes, count) + 2)
  const hostWeight = Math.log(countDistinct(hosts, nodes, count) + 2)
  let [most, least] = [-Infinity, Infinity]
  for (let index = 0; index < count; index += 1) {
    const node = nodes[index] ?? -1
    const zone = zones.domainOf[node] ?? -1
    const host = hosts.domainOf[node] ?? -1
    let score = 0
    if (zone >= 0) score = (zones.counts[zone] ?? 0) * zoneWeight + ZONE_SKEW - 1
    if (host >= 0) score = score + (hosts.counts[host] ?? 0) * hostWeight + HOST_SKEW - 1
    score = Math.round(score)
    scores[index] = score
    if (score > most) most = score
    if (score < least) least = score
  }
  countPods(zones, siblings, nodeOf, 0)
  countPods(hosts, siblings, nodeOf, 0)
  let [raw, normalised] = [-1, 0]
  for (let index = 0; index < count; index += 1) {
    const score = scores[index] ?? 0
    if (score !== raw) {
      raw = score
      normalised = most === 0 ? SCORE_MAX : Math.floor((SCORE_MAX * (most + least - score)) / most)
    }
    scores[index] = SPREAD_WEIGHT * normalised
  }
}

type Topology = {
  /** By node, the number of its value of the label; -1 without the label. */
  readonly domainOf: Int32Array
  /** By domain, used by each count; 0 between two counts. */
  readonly counts: Int32Array
  readonly seen: Int32Array
  readonly isSingle: boolean
  stamp: number
}

/** Nodes without the label count as one domain. */
function countDistinct(topology: Topology, nodes: Int32Array, count: number): number {
  const { domainOf, seen, isSingle } = topology
  if (isSingle) return count
  topology.stamp += 1
  let distinct = 0
  for (let index = 0; index < count; index += 1) {
    const slot = (domainOf[nodes[index] ?? -1] ?? -1) + 1
    if (seen[slot] === topology.stamp) continue
    seen[slot] = topology.stamp
    distinct += 1
  }
  return distinct
}

/** Counts running pods by domain, or sets their counts to 0 again. */
function countPods({ domainOf, counts }: Topology, pods: readonly number[], nodeOf: Int32Array, by: 0 | 1): void {
  for (const pod of pods) {
    const domain = domainOf[nodeOf[pod] ?? -1] ?? -1
    if (domain >= 0) counts[domain] = by === 0 ? 0 : (counts[domain] ?? 0) + 1
  }
}

/** By node, the number of running pods of the workload of a pod in its zone. */
export function countInZone({ model, nodeOf }: State, pod: number): (node: number) => number {
  const zones = topologyOf(model, ZONE_LABEL)
  const counts = new Int32Array(zones.counts.length)
  countPods({ ...zones, counts }, siblingsOf(model, pod), nodeOf, 1)
  return (node) => counts[zones.domainOf[node] ?? -1] ?? 0
}

const topologies = new WeakMap<Model['nodes'], Map<string, Topology>>()

function topologyOf({ nodes }: Pick<Model, 'nodes'>, key: string): Topology {
  const byKey = topologies.get(nodes) ?? new Map<string, Topology>()
  topologies.set(nodes, byKey)
  const known = byKey.get(key)
  if (known) return known
  const numbers = new Map<string, number>()
  const domainOf = Int32Array.from(nodes, ({ labels }) => {
    const value = labels[key]
    if (value === undefined) return -1
    const number = numbers.get(value) ?? numbers.size
    numbers.set(value, number)
    return number
  })
  const slots = numbers.size + 1
  const counts = new Int32Array(slots)
  const made = { domainOf, counts, seen: new Int32Array(slots), isSingle: numbers.size === nodes.length, stamp: 0 }
  byKey.set(key, made)
  return made
}

const filed = new WeakMap<Model['pods'], readonly (readonly number[])[]>()

/** The pods of the same workload, including the pod. */
function siblingsOf({ pods }: Model, pod: number): readonly number[] {
  let found = filed.get(pods)
  if (!found) {
    const byWorkload = new Map<string, number[]>()
    pods.forEach(({ workload }, number) => append(byWorkload, workload, number))
    found = pods.map(({ workload }) => byWorkload.get(workload) ?? [])
    filed.set(pods, found)
  }
  return found[pod] ?? []
}
