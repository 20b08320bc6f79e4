import { improve, type Search } from './free-index.ts'
import type { Kind } from './kinds.ts'
import { CPU, findShort, MEMORY, type Need } from './needs.ts'
import {
  emptiness,
  findBroadObstacle,
  findNarrowObstacle,
  isNarrow,
  kindOf,
  known,
  needOf,
  share,
  type State,
} from './state.ts'

/**
 * Where the default scheduler would put a pod: of the nodes that pass every filter the one that is left emptiest
 * (LeastAllocated), of equals the first by name. -1 if none passes.
 */
export function findNode(state: State, pod: number): number {
  const kind = kindOf(state.model, pod)
  const need = needOf(state, pod)
  const admits = isNarrow(state.model, pod)
    ? (node: number) => findNarrowObstacle(state, pod, node) === undefined
    : anyNode
  const search: Search = { need, admits, handicap: 0, node: -1, score: -Infinity }
  const candidates = listCandidates(kind)
  if (candidates) for (const node of candidates) consider(state, kind, node, search)
  else searchClasses(state, kind, search)
  return search.node
}

/** Every node that passes every filter, in the order of their names. It looks at each node: for small clusters only. */
export function listFeasible(state: State, pod: number): number[] {
  const kind = kindOf(state.model, pod)
  const need = needOf(state, pod)
  const width = state.model.resources.length
  const admitted = new Set(kind.admitted)
  const nodes = kind.chosen ?? state.model.nodes.keys()
  return [...nodes].filter((node) => {
    if (state.closed[node] === 1 || findShort(state.free, node * width, need) !== undefined) return false
    if (!kind.chosen && !admitted.has(state.classes.of[node] ?? -1)) return false
    return findBroadObstacle(state, kind, node) === undefined && findNarrowObstacle(state, pod, node) === undefined
  })
}

/** The most promising class first: what it offers shuts out most of the others at once. */
function searchClasses(state: State, kind: Kind, search: Search): void {
  let best = -1
  let bestScore = -Infinity
  for (const id of kind.admitted) {
    const index = known(state.indexes[id])
    if (findShort(index.room, index.width, search.need) !== undefined) continue
    const score = (index.score[1] ?? -Infinity) - handicap(state, search.need, index.nodes[0] ?? 0)
    if (score <= bestScore) continue
    best = id
    bestScore = score
  }
  if (best < 0) return
  searchClass(state, kind, best, search)
  for (const id of kind.admitted) if (id !== best) searchClass(state, kind, id, search)
}

const anyNode = () => true

function searchClass(state: State, kind: Kind, id: number, search: Search): void {
  const index = known(state.indexes[id])
  const first = index.nodes[0] ?? -1
  search.handicap = handicap(state, search.need, first)
  if ((index.score[1] ?? -Infinity) - search.handicap < search.score) return
  if (kind.broad.length > 0 && findBroadObstacle(state, kind, first)) return
  improve(index, search)
}

/** Nodes that the pod names, or those that hold the company it needs; few either way. */
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
  const score = emptiness(state, node) - handicap(state, search.need, node)
  if (score < search.score || (score === search.score && node > search.node)) return
  if (!kind.chosen && !kind.admitted.includes(state.classes.of[node] ?? -1)) return
  if (findBroadObstacle(state, kind, node) ?? !search.admits(node)) return
  search.node = node
  search.score = score
}

/** What the pod itself takes off a node's emptiness. */
function handicap({ model }: State, { scoreCpu, scoreMemory }: Need, node: number): number {
  const at = node * model.resources.length
  return share(scoreCpu, model.allocatable[at + CPU] ?? 0) + share(scoreMemory, model.allocatable[at + MEMORY] ?? 0)
}
