import { HOSTNAME_LABEL, ZONE_LABEL } from './cluster.ts'
import type { Model } from './model.ts'
import { CPU, MEMORY } from './needs.ts'
import { needOf, type State } from './state.ts'
import { append } from './targets.ts'

const SCORE_MAX = 100
const SPREAD_WEIGHT = 2
/** The default constraints of the scheduler for pods without constraints of their own. */
const DEFAULT_SPREAD = [
  { key: ZONE_LABEL, maxSkew: 3 },
  { key: HOSTNAME_LABEL, maxSkew: 5 },
]

/**
 * The scores of the default scheduler profile for these feasible nodes: LeastAllocated, BalancedAllocation and topology
 * spread. Scores are whole numbers, so several nodes often share the highest one.
 */
export function scoreNodes(state: State, pod: number, feasible: readonly number[]): Float64Array {
  const scores = new Float64Array(feasible.length)
  if ((state.model.pods[pod]?.constraints?.spread ?? []).length === 0) addSpread(state, pod, feasible, scores)
  addResources(state, pod, feasible, scores)
  return scores
}

/** With the pod on the node. One pass without calls per node, because most of the time of a plan is spent here. */
function addResources(state: State, pod: number, feasible: readonly number[], scores: Float64Array): void {
  const { scored, model } = state
  const { scoreCpu, scoreMemory } = needOf(state, pod)
  const width = model.resources.length
  for (let index = 0; index < feasible.length; index += 1) {
    const node = feasible[index] ?? -1
    const cpu = freeShare((scored[2 * node] ?? 0) - scoreCpu, model.allocatable[node * width + CPU] ?? 0)
    const memory = freeShare((scored[2 * node + 1] ?? 0) - scoreMemory, model.allocatable[node * width + MEMORY] ?? 0)
    const least = Math.floor((Math.floor(SCORE_MAX * cpu) + Math.floor(SCORE_MAX * memory)) / 2)
    const balanced = Math.floor(SCORE_MAX * (1 - Math.abs(cpu - memory) / 2))
    scores[index] = (scores[index] ?? 0) + least + balanced
  }
}

const freeShare = (left: number, all: number): number => (all > 0 ? Math.max(0, left / all) : 0)

function addSpread(state: State, pod: number, feasible: readonly number[], scores: Float64Array): void {
  for (const { key, maxSkew } of DEFAULT_SPREAD) {
    const { domainOf } = topologyOf(state.model, key)
    const siblings = countSiblings(state, pod, key)
    const weight = Math.log(countDistinct(state.model, key, feasible) + 2)
    for (let index = 0; index < feasible.length; index += 1) {
      const domain = domainOf[feasible[index] ?? -1] ?? -1
      if (domain >= 0) scores[index] = (scores[index] ?? 0) + (siblings[domain] ?? 0) * weight + maxSkew - 1
    }
  }
  let [most, least] = [-Infinity, Infinity]
  for (let index = 0; index < scores.length; index += 1) {
    const rounded = Math.round(scores[index] ?? 0)
    scores[index] = rounded
    if (rounded > most) most = rounded
    if (rounded < least) least = rounded
  }
  for (let index = 0; index < scores.length; index += 1) {
    const normalised = most === 0 ? SCORE_MAX : Math.floor((SCORE_MAX * (most + least - (scores[index] ?? 0))) / most)
    scores[index] = SPREAD_WEIGHT * normalised
  }
}

type Topology = {
  /** By node, the number of its value of the label; -1 without the label. */
  readonly domainOf: Int32Array
  /** By domain, reused by each count. */
  readonly counts: Int32Array
  readonly seen: Int32Array
  stamp: number
}

/** Nodes without the label count as one domain. */
function countDistinct(model: Model, key: string, nodes: readonly number[]): number {
  const topology = topologyOf(model, key)
  const { domainOf, seen } = topology
  topology.stamp += 1
  let distinct = 0
  for (const node of nodes) {
    const slot = (domainOf[node] ?? -1) + 1
    if (seen[slot] === topology.stamp) continue
    seen[slot] = topology.stamp
    distinct += 1
  }
  return distinct
}

/** Running pods of the same workload, by the domain of a node label. Valid until the next count. */
export function countSiblings({ model, nodeOf }: State, pod: number, key: string): Int32Array {
  const { domainOf, counts } = topologyOf(model, key)
  counts.fill(0)
  for (const each of podsByWorkload(model).get(model.pods[pod]?.workload ?? '') ?? []) {
    const domain = domainOf[nodeOf[each] ?? -1] ?? -1
    if (domain >= 0) counts[domain] = (counts[domain] ?? 0) + 1
  }
  return counts
}

const topologies = new WeakMap<Model['nodes'], Map<string, Topology>>()

export function topologyOf({ nodes }: Pick<Model, 'nodes'>, key: string): Topology {
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
  const made = { domainOf, counts: new Int32Array(slots), seen: new Int32Array(slots), stamp: 0 }
  byKey.set(key, made)
  return made
}

const filed = new WeakMap<Model['pods'], Map<string, number[]>>()

function podsByWorkload({ pods }: Model): ReadonlyMap<string, readonly number[]> {
  const known = filed.get(pods)
  if (known) return known
  const found = new Map<string, number[]>()
  pods.forEach(({ workload }, pod) => append(found, workload, pod))
  filed.set(pods, found)
  return found
}
