import { CPU, findShort, MEMORY, type Need } from './needs.ts'

/**
 * The nodes of one class as a tournament tree. Each inner entry holds the best score and the largest free amount of
 * every resource below it, so the search skips branches that are too full or no better.
 *
 * Nodes of a class have equal size, so the order of scores does not depend on the pod. Leaves are roughly in the order
 * of the scarcest resource. Otherwise every branch would contain nodes that lack only this resource, and the search
 * would visit them in vain. The result does not depend on that order.
 */
export type FreeIndex = {
  /** In leaf order. */
  readonly nodes: number[]
  readonly leaves: number
  readonly width: number
  readonly score: Float64Array
  readonly room: Float64Array
  /** Number of existing nodes below each entry. */
  readonly live: Int32Array
  /** The leaf of each node. */
  readonly leafOf: Int32Array
  /** Number of changes since the leaves were sorted. */
  changes: number
}

/** The input of the index: the free capacity of all nodes, and the score of a node, -Infinity if it is removed. */
export type Rooms = { readonly free: Float64Array; readonly allocatable: Float64Array; score: (node: number) => number }

export function makeFreeIndex(nodes: readonly number[], width: number, leafOf: Int32Array): FreeIndex {
  const leaves = 2 ** Math.ceil(Math.log2(Math.max(1, nodes.length)))
  return {
    nodes: [...nodes],
    leaves,
    width,
    score: new Float64Array(2 * leaves).fill(-Infinity),
    room: new Float64Array(2 * leaves * width).fill(-Infinity),
    live: new Int32Array(2 * leaves),
    leafOf,
    changes: 0,
  }
}

/** Updates the index after a change of a node. */
export function refreshNode(index: FreeIndex, rooms: Rooms, node: number): void {
  index.changes += 1
  if (index.changes > index.nodes.length) return rebuild(index, rooms)
  let entry = index.leaves + (index.leafOf[node] ?? 0)
  fillLeaf(index, rooms, entry, node)
  for (entry >>= 1; entry >= 1; entry >>= 1) refreshInner(index, entry)
}

export function rebuild(index: FreeIndex, rooms: Rooms): void {
  const { nodes, leaves, width, leafOf } = index
  const scarcest = findScarcest(index, rooms)
  nodes.sort((a, b) => (rooms.free[a * width + scarcest] ?? 0) - (rooms.free[b * width + scarcest] ?? 0) || a - b)
  nodes.forEach((node, leaf) => {
    leafOf[node] = leaf
    fillLeaf(index, rooms, leaves + leaf, node)
  })
  for (let entry = leaves - 1; entry >= 1; entry -= 1) refreshInner(index, entry)
  index.changes = 0
}

/** CPU or memory, whichever the class has less of. */
function findScarcest({ nodes, width }: FreeIndex, { free, allocatable }: Rooms): number {
  const [first = 0] = nodes
  const shareOf = (resource: number) => {
    const sum = nodes.reduce((total, node) => total + (free[node * width + resource] ?? 0), 0)
    return sum / Math.max(1, allocatable[first * width + resource] ?? 0)
  }
  return shareOf(CPU) <= shareOf(MEMORY) ? CPU : MEMORY
}

function fillLeaf(index: FreeIndex, { free, score }: Rooms, entry: number, node: number): void {
  const { width, room } = index
  const own = score(node)
  const isGone = own === -Infinity
  index.score[entry] = own
  index.live[entry] = isGone ? 0 : 1
  for (let each = 0; each < width; each += 1) {
    room[entry * width + each] = isGone ? -Infinity : (free[node * width + each] ?? 0)
  }
}

function refreshInner({ score, room, live, width }: FreeIndex, entry: number): void {
  const left = 2 * entry
  const right = left + 1
  score[entry] = Math.max(score[left] ?? 0, score[right] ?? 0)
  live[entry] = (live[left] ?? 0) + (live[right] ?? 0)
  for (let each = 0; each < width; each += 1) {
    room[entry * width + each] = Math.max(room[left * width + each] ?? 0, room[right * width + each] ?? 0)
  }
}

/** The searched capacity, and the best node so far. */
export type Search = {
  readonly need: Need
  /** The filters that depend on the single node. */
  readonly admits: (node: number) => boolean
  /** How much the pod reduces the score of any node of the current class. */
  handicap: number
  node: number
  score: number
}

/** Improves the search to the admitted node with enough capacity and the best score; ties: the first one. */
export function improve(index: FreeIndex, search: Search, entry = 1): void {
  const score = (index.score[entry] ?? -Infinity) - search.handicap
  if (score < search.score || score === -Infinity) return
  if (findShort(index.room, entry * index.width, search.need) !== undefined) return
  if (entry < index.leaves) {
    const left = 2 * entry
    const isLeftBetter = (index.score[left] ?? 0) >= (index.score[left + 1] ?? 0)
    improve(index, search, isLeftBetter ? left : left + 1)
    improve(index, search, isLeftBetter ? left + 1 : left)
    return
  }
  const node = index.nodes[entry - index.leaves] ?? -1
  if (score === search.score && search.node >= 0 && node > search.node) return
  if (!search.admits(node)) return
  search.node = node
  search.score = score
}

/** Calls `note` with the number of nodes that lack a resource, and for each node with enough of all. */
export function noteShort(
  index: FreeIndex,
  need: Need,
  note: { short: (resource: number, nodes: number) => void; enough: (node: number) => void },
  entry = 1,
): void {
  const live = index.live[entry] ?? 0
  if (live === 0) return
  const short = findShort(index.room, entry * index.width, need)
  if (short !== undefined) return note.short(short, live)
  if (entry >= index.leaves) return note.enough(index.nodes[entry - index.leaves] ?? -1)
  noteShort(index, need, note, 2 * entry)
  noteShort(index, need, note, 2 * entry + 1)
}
