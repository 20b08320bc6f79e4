import { boundBlocks, handicapIn, improve, mayImprove, type Search } from './free-index.ts'
import type { Kind } from './kinds.ts'
import { CPU, findShort } from './needs.ts'
import { emptiness, findBroadObstacle, findNarrowObstacle, isNarrow, kindOf, needOf, type State } from './state.ts'

/**
 * The choice of the default scheduler: the feasible node with the most free capacity (LeastAllocated), ties by name.
 * -1: none.
 */
export function findNode(state: State, pod: number): number {
  const kind = kindOf(state.model, pod)
  const need = needOf(state, pod)
  const admits = isNarrow(state.model, pod)
    ? (node: number) => findNarrowObstacle(state, pod, node) === undefined
    : anyNode
  const search: Search = { need, admits, node: -1, score: -Infinity }
  const candidates = listCandidates(kind)
  if (candidates) for (const node of candidates) consider(state, kind, node, search)
  else searchClasses(state, kind, search)
  return search.node
}

/** Every feasible node, by name. It checks each node. `except`: by node, 1 if it is left out. */
export function listFeasible(state: State, pod: number, except?: Uint8Array): number[] {
  const kind = kindOf(state.model, pod)
  const need = needOf(state, pod)
  const { closed, free, classes } = state
  const width = state.model.resources.length
  const cpu = need.amounts[CPU] ?? 0
  const count = (kind.chosen ?? state.model.nodes).length
  const admits = admittedClasses(kind, classes.all.length)
  const isPlain = kind.broad.length === 0 && !isNarrow(state.model, pod)
  const found: number[] = []
  for (let at = 0; at < count; at += 1) {
    const node = kind.chosen ? (kind.chosen[at] ?? -1) : at
    if (closed[node] === 1 || except?.[node] === 1 || (cpu > 0 && (free[node * width + CPU] ?? 0) < cpu)) continue
    if (!kind.chosen && admits[classes.of[node] ?? -1] !== 1) continue
    if (findShort(free, node * width, need) !== undefined) continue
    if (!isPlain && (findBroadObstacle(state, kind, node) ?? findNarrowObstacle(state, pod, node))) continue
    found.push(node)
  }
  return found
}

const admittedBy = new WeakMap<Kind['admitted'], Uint8Array>()

/** By class, 1 if the pod may run on its nodes. */
function admittedClasses(kind: Kind, classes: number): Uint8Array {
  const known = admittedBy.get(kind.admitted)
  if (known) return known
  const admits = new Uint8Array(classes)
  for (const id of kind.admitted) admits[id] = 1
  admittedBy.set(kind.admitted, admits)
  return admits
}

/** The most promising class first, because its result excludes most of the others. */
function searchClasses(state: State, kind: Kind, search: Search): void {
  const { index } = state
  const best = boundBlocks(index, kind.admitted, search.need)
  if (best < 0) return
  searchClass(state, kind, best, search)
  for (const id of kind.admitted) {
    if (id !== best && mayImprove(index, id, search)) searchClass(state, kind, id, search)
  }
}

const anyNode = () => true

function searchClass(state: State, kind: Kind, id: number, search: Search): void {
  if (kind.broad.length > 0 && findBroadObstacle(state, kind, state.classes.all[id]?.first ?? -1)) return
  improve(state.index, state.capacities, id, search)
}

/** Nodes that the pod names, or nodes that satisfy its affinity; few in both cases. */
function listCandidates({ chosen, narrow }: Kind): Iterable<number> | undefined {
  if (chosen) return chosen
  for (const demand of narrow) {
    if (demand.filter !== 'pod-affinity' || demand.isOneItself) continue
    return demand.company.tallies[demand.term]?.keys() ?? []
  }
  return undefined
}

function consider(state: State, kind: Kind, node: number, search: Search): void {
  const width = state.model.resources.length
  if (state.closed[node] === 1 || findShort(state.free, node * width, search.need) !== undefined) return
  const score = emptiness(state, node) - handicapIn(state.index, search.need, state.classes.of[node] ?? -1)
  if (score < search.score || (score === search.score && node > search.node)) return
  if (!kind.chosen && !kind.admitted.includes(state.classes.of[node] ?? -1)) return
  if (findBroadObstacle(state, kind, node) ?? !search.admits(node)) return
  search.node = node
  search.score = score
}
