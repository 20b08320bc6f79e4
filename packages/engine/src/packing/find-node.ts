import { improve, type Best } from './free-index.ts'
import type { Kind } from './kinds.ts'
import { CPU, findShort, MEMORY, type Need } from './needs.ts'
import { emptiness, findBroadObstacle, findNarrowObstacle, kindOf, known, needOf, type State } from './state.ts'

/**
 * Where the default scheduler would put a pod: of the nodes that pass every filter the one that is left emptiest
 * (LeastAllocated), of equals the first by name. -1 if none passes.
 */
export function findNode(state: State, pod: number): number {
  const kind = kindOf(state.model, pod)
  const need = needOf(state, pod)
  const best: Best = { node: -1, score: -Infinity }
  const candidates = listCandidates(kind)
  if (candidates) {
    for (const node of candidates) consider(state, kind, need, node, best)
    return best.node
  }
  const admits = isDemanding(kind) ? (node: number) => findNarrowObstacle(state, kind, node) === undefined : () => true
  for (const id of kind.admitted) {
    if (state.live[id] === 0) continue
    const { first } = known(state.classes.all[id])
    if (kind.broad.length > 0 && findBroadObstacle(state, kind, first)) continue
    improve(known(state.indexes[id]), need, handicap(state, need, first), best, admits)
  }
  return best.node
}

const isDemanding = ({ narrow, ports }: Kind) => narrow.length + ports.length > 0

/** Nodes that the pod names, or those that hold the company it needs; few either way. */
function listCandidates({ chosen, narrow }: Kind): Iterable<number> | undefined {
  if (chosen) return chosen
  for (const demand of narrow) {
    if (demand.filter !== 'pod-affinity' || demand.isOneItself) continue
    return demand.company.tallies[demand.term]?.keys() ?? []
  }
  return undefined
}

function consider(state: State, kind: Kind, need: Need, node: number, best: Best): void {
  const width = state.model.resources.length
  if (state.gone[node] === 1 || findShort(state.free, node * width, need) !== undefined) return
  const score = emptiness(state, node) - handicap(state, need, node)
  if (score < best.score || (score === best.score && node > best.node)) return
  if (!kind.chosen && !kind.admitted.includes(state.classes.of[node] ?? -1)) return
  if (findBroadObstacle(state, kind, node) ?? findNarrowObstacle(state, kind, node)) return
  Object.assign(best, { node, score })
}

/** What the pod itself takes off a node's emptiness. */
function handicap({ model }: State, { scoreCpu, scoreMemory }: Need, node: number): number {
  const at = node * model.resources.length
  const share = (amount: number, whole: number) => (whole > 0 ? amount / whole : 0)
  return share(scoreCpu, model.allocatable[at + CPU] ?? 0) + share(scoreMemory, model.allocatable[at + MEMORY] ?? 0)
}
