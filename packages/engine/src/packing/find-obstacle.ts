import { compare } from '../apportion.ts'
import type { FilterCode } from './blocker.ts'
import type { Kind } from './kinds.ts'
import { findShort, type Need } from './needs.ts'
import { findBroadObstacle, findNarrowObstacle, kindOf, known, needOf, type State } from './state.ts'
import { findStaticObstacle } from './static-filters.ts'

export type Obstacle = { readonly filter: FilterCode; readonly nodes: number }

/**
 * Why no node takes a pod. A GPU pool that does not want it says little where an ordinary node lacks two cores: of the nodes
 * that came furthest through the filters, the filter that stopped most of them is named.
 */
export function findObstacle(state: State, pod: number): Obstacle {
  const kind = kindOf(state.model, pod)
  const need = needOf(state, pod)
  const stages = [0, 1, 2].map(() => new Map<FilterCode, number>())
  const note = (stage: number, filter: FilterCode, nodes: number) => {
    const counts = known(stages[stage])
    counts.set(filter, (counts.get(filter) ?? 0) + nodes)
  }
  state.classes.all.forEach(({ nodes, first }, id) => {
    const live = state.live[id] ?? 0
    if (live === 0) return
    const early = kind.chosen ? undefined : findEarly(state, kind, first)
    if (early) return note(early.stage, early.filter, live)
    for (const node of nodes) {
      if (state.gone[node] === 1) continue
      const own = (kind.chosen ? findEarly(state, kind, node) : undefined) ?? findLate(state, kind, need, node)
      note(own.stage, own.filter, 1)
    }
  })
  const furthest = stages.findLast(({ size }) => size > 0) ?? new Map<FilterCode, number>()
  const [most] = [...furthest].sort(([a, m], [b, n]) => n - m || compare(a, b))
  return most ? { filter: most[0], nodes: most[1] } : { filter: 'no-other-node', nodes: 0 }
}

type Stop = { readonly stage: number; readonly filter: FilterCode }

function findEarly(state: State, kind: Kind, node: number): Stop | undefined {
  const fixed = findStaticObstacle(kind.constraints, known(state.model.nodes[node]))
  if (fixed) return { stage: 0, filter: fixed }
  const broad = findBroadObstacle(state, kind, node)
  return broad && { stage: 1, filter: broad }
}

function findLate(state: State, kind: Kind, need: Need, node: number): Stop {
  const { resources } = state.model
  const short = findShort(state.free, node * resources.length, need)
  if (short === undefined) return { stage: 2, filter: findNarrowObstacle(state, kind, node) ?? 'no-other-node' }
  return { stage: 2, filter: short === resources.length - 1 ? 'max-pods' : `insufficient-${resources[short] ?? ''}` }
}
