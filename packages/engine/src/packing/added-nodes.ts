import { inQueue } from './placing.ts'
import type { Applied } from './apply-proposals.ts'
import { findShort, usdOf } from './needs.ts'
import { known, needOf, type State } from './state.ts'

export type AddedNodes = { readonly like: number; readonly count: number; readonly usdPerHour: bigint }

/** Pods that grew out of the cluster get more nodes like the ones they were on: first fit, largest first. */
export function addNodes(state: State, unplaced: Applied['unplaced']): AddedNodes[] {
  const byPool = new Map<string, { like: number; pods: number[] }>()
  for (const { pod, from } of unplaced) {
    const pool = known(state.model.poolOf[from]).name
    const own = byPool.get(pool) ?? { like: from, pods: [] }
    byPool.set(pool, { like: Math.min(own.like, from), pods: [...own.pods, pod] })
  }
  return [...byPool.values()].map(({ like, pods }) => {
    const count = countNodes(state, like, pods)
    return { like, count, usdPerHour: BigInt(count) * usdOf(known(state.model.nodes[like])) }
  })
}

function countNodes(state: State, like: number, pods: readonly number[]): number {
  const capacities: Float64Array[] = []
  for (const pod of inQueue(state, pods)) {
    const need = needOf(state, pod)
    let capacity = capacities.find((each) => findShort(each, 0, need) === undefined)
    if (!capacity) {
      capacity = emptyCapacity(state, like)
      capacities.push(capacity)
    }
    for (let each = 0; each < capacity.length; each += 1)
      capacity[each] = (capacity[each] ?? 0) - (need.amounts[each] ?? 0)
  }
  return capacities.length
}

function emptyCapacity(state: State, node: number): Float64Array {
  const { allocatable, resources, leavesWithNode } = state.model
  const capacity = allocatable.slice(node * resources.length, (node + 1) * resources.length)
  for (const pod of known(state.podsOn[node])) {
    if (leavesWithNode[pod] === 0) continue
    needOf(state, pod).amounts.forEach((amount, each) => (capacity[each] = (capacity[each] ?? 0) - amount))
  }
  return capacity
}
