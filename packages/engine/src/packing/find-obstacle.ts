import { compare } from '../apportion.ts'
import type { FilterCode } from './blocker.ts'
import type { Kind } from './kinds.ts'
import { findShort } from './needs.ts'
import { findBroadObstacle, findNarrowObstacle, kindOf, known, needOf, type State } from './state.ts'
import { findStaticObstacle } from './static-filters.ts'

export type Obstacle = { readonly filter: FilterCode; readonly nodes: number }

/**
 * Why no node accepts a pod. Of the nodes that passed the most filters, the filter that rejected most is named. A GPU
 * pool with a taint says little if an ordinary node lacks two cores.
 */
export function findObstacle(state: State, pod: number): Obstacle {
  const kind = kindOf(state.model, pod)
  const stages = [0, 1, 2].map(() => new Map<FilterCode, number>())
  const note = ({ stage, filter }: Stop, nodes: number) => {
    const counts = known(stages[stage])
    counts.set(filter, (counts.get(filter) ?? 0) + nodes)
  }
  if (kind.chosen) {
    state.gone.forEach((gone, node) => {
      if (gone === 0) note(findEarly(state, kind, node) ?? findLate(state, pod, node), 1)
    })
  } else noteClasses(state, pod, note)
  const furthest = stages.findLast(({ size }) => size > 0) ?? new Map<FilterCode, number>()
  const [most] = [...furthest].sort(([a, m], [b, n]) => n - m || compare(a, b))
  return most ? { filter: most[0], nodes: most[1] } : { filter: 'no-other-node', nodes: 0 }
}

type Stop = { readonly stage: 0 | 1 | 2; readonly filter: FilterCode }

/** Nodes of a class share the early filters. */
function noteClasses(state: State, pod: number, note: (stop: Stop, nodes: number) => void): void {
  const kind = kindOf(state.model, pod)
  state.classes.all.forEach(({ first, nodes }, id) => {
    const live = state.live[id] ?? 0
    if (live === 0) return
    const early = findEarly(state, kind, first)
    if (early) return note(early, live)
    for (const node of nodes) if (state.closed[node] === 0) note(findLate(state, pod, node), 1)
  })
}

function findEarly(state: State, kind: Kind, node: number): Stop | undefined {
  const fixed = findStaticObstacle(kind.constraints, known(state.model.nodes[node]))
  if (fixed) return { stage: 0, filter: fixed }
  const broad = findBroadObstacle(state, kind, node)
  return broad && { stage: 1, filter: broad }
}

function findLate(state: State, pod: number, node: number): Stop {
  const short = findShort(state.free, node * state.model.resources.length, needOf(state, pod))
  if (short !== undefined) return shortOf(state, short)
  return { stage: 2, filter: findNarrowObstacle(state, pod, node) ?? 'no-other-node' }
}

function shortOf({ model: { resources } }: State, resource: number): Stop {
  return {
    stage: 2,
    filter: resource === resources.length - 1 ? 'max-pods' : `insufficient-${resources[resource] ?? ''}`,
  }
}
