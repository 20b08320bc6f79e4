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
export function scoreNodes(state: State, pod: number, feasible: readonly number[]): number[] {
  const isSpreadByDefault = (state.model.pods[pod]?.constraints?.spread ?? []).length === 0
  const spread = isSpreadByDefault ? spreadScores(state, pod, feasible) : []
  return feasible.map((node, index) => resourceScore(state, pod, node) + SPREAD_WEIGHT * (spread[index] ?? 0))
}

function resourceScore(state: State, pod: number, node: number): number {
  const { scoreCpu, scoreMemory } = needOf(state, pod)
  const cpu = freeShare(state, node, { resource: CPU, taken: scoreCpu })
  const memory = freeShare(state, node, { resource: MEMORY, taken: scoreMemory })
  const least = Math.floor((Math.floor(SCORE_MAX * cpu) + Math.floor(SCORE_MAX * memory)) / 2)
  return least + Math.floor(SCORE_MAX * (1 - Math.abs(cpu - memory) / 2))
}

type Taking = { readonly resource: typeof CPU | typeof MEMORY; readonly taken: number }

/** With the pod on the node. */
function freeShare({ model, scored }: State, node: number, { resource, taken }: Taking): number {
  const all = model.allocatable[node * model.resources.length + resource] ?? 0
  return all > 0 ? Math.max(0, ((scored[2 * node + resource] ?? 0) - taken) / all) : 0
}

function spreadScores(state: State, pod: number, feasible: readonly number[]): number[] {
  const raw = new Float64Array(feasible.length)
  for (const { key, maxSkew } of DEFAULT_SPREAD) {
    const domains = feasible.map((node) => state.model.nodes[node]?.labels[key])
    const weight = Math.log(new Set(domains).size + 2)
    const siblings = countSiblings(state, pod, key)
    domains.forEach((domain, index) => {
      if (domain === undefined) return
      raw[index] = (raw[index] ?? 0) + (siblings.get(domain) ?? 0) * weight + maxSkew - 1
    })
  }
  const rounded = Array.from(raw, Math.round)
  const [most, least] = [Math.max(...rounded), Math.min(...rounded)]
  return rounded.map((each) => (most === 0 ? SCORE_MAX : Math.floor((SCORE_MAX * (most + least - each)) / most)))
}

/** Running pods of the same workload, by the value of a node label. */
export function countSiblings({ model, nodeOf }: State, pod: number, key: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of podsByWorkload(model).get(model.pods[pod]?.workload ?? '') ?? []) {
    const domain = model.nodes[nodeOf[each] ?? -1]?.labels[key]
    if (domain !== undefined) counts.set(domain, (counts.get(domain) ?? 0) + 1)
  }
  return counts
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
