import { findShort, type Need } from './needs.ts'

/**
 * The nodes of one class as a tournament: each inner entry knows the best score and the most room of every resource below
 * it, so that the search skips whole branches that are too full or no better than what it has.
 *
 * Nodes of a class are equally large, so which of two is emptier does not depend on the pod: one score serves all.
 */
export type FreeIndex = {
  readonly nodes: readonly number[]
  readonly leaves: number
  readonly width: number
  readonly score: Float64Array
  readonly room: Float64Array
}

export function makeFreeIndex(nodes: readonly number[], width: number): FreeIndex {
  const leaves = 2 ** Math.ceil(Math.log2(Math.max(1, nodes.length)))
  const score = new Float64Array(2 * leaves).fill(-Infinity)
  return { nodes, leaves, width, score, room: new Float64Array(2 * leaves * width).fill(-Infinity) }
}

/** Takes over a node's room and score; a node that is gone has neither. */
export function refreshLeaf(index: FreeIndex, position: number, score: number, room: Float64Array, from: number): void {
  const { width } = index
  let entry = index.leaves + position
  index.score[entry] = score
  const isGone = score === -Infinity
  for (let each = 0; each < width; each += 1) {
    index.room[entry * width + each] = isGone ? -Infinity : (room[from + each] ?? 0)
  }
  for (entry >>= 1; entry >= 1; entry >>= 1) refreshInner(index, entry)
}

function refreshInner({ score, room, width }: FreeIndex, entry: number): void {
  const [left, right] = [2 * entry, 2 * entry + 1]
  score[entry] = Math.max(score[left] ?? 0, score[right] ?? 0)
  for (let each = 0; each < width; each += 1) {
    room[entry * width + each] = Math.max(room[left * width + each] ?? 0, room[right * width + each] ?? 0)
  }
}

export type Best = { node: number; score: number }

/**
 * Improves `best` to the emptiest node with enough room that `admits` lets through; of equals the first one. `handicap` is
 * what the pod itself takes off the score of any node of this class.
 */
export function improve(
  index: FreeIndex,
  need: Need,
  handicap: number,
  best: Best,
  admits: (node: number) => boolean,
): void {
  const visit = (entry: number): void => {
    const score = (index.score[entry] ?? -Infinity) - handicap
    if (score < best.score || score === -Infinity) return
    if (findShort(index.room, entry * index.width, need) !== undefined) return
    if (entry < index.leaves) {
      const left = 2 * entry
      const leftIsBetter = (index.score[left] ?? 0) >= (index.score[left + 1] ?? 0)
      visit(leftIsBetter ? left : left + 1)
      visit(leftIsBetter ? left + 1 : left)
      return
    }
    const node = index.nodes[entry - index.leaves] ?? -1
    if (score === best.score && best.node >= 0 && node > best.node) return
    if (admits(node)) Object.assign(best, { node, score })
  }
  visit(1)
}
