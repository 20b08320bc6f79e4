import { CPU, findShort, MEMORY, type Need } from './needs.ts'
import type { NodeClass } from './node-classes.ts'

/** Nodes per block. */
export const BLOCK = 16
/** Sorting after this many changes per node keeps the order good and costs little. */
const CHANGES_PER_NODE = 8

/**
 * Free CPU, free memory and score of all nodes in blocks. Each block holds nodes of one class and stores its largest
 * values, so a search skips blocks that are too full or no better, and reads the others in one pass.
 *
 * Nodes of a class have equal size, so the order of scores does not depend on the pod. Nodes are roughly in the order
 * of the scarcest resource. Otherwise every block would contain nodes that lack only this resource, and the search
 * would read them without a result. The result does not depend on that order.
 */
export type FreeIndex = {
  readonly classes: readonly NodeClass[]
  /** By class, its first block; the last entry is the number of blocks. */
  readonly firstBlock: Int32Array
  /** By class, CPU and memory of one node. */
  readonly sizeCpu: Float64Array
  readonly sizeMemory: Float64Array
  /** By slot; -1: no node. */
  readonly nodeAt: Int32Array
  readonly slotOf: Int32Array
  /** By slot. The score of a closed node is -Infinity. */
  readonly cpu: Float64Array
  readonly memory: Float64Array
  readonly score: Float64Array
  /** By block, the largest values of its nodes that are not closed. */
  readonly blockCpu: Float64Array
  readonly blockMemory: Float64Array
  readonly blockScore: Float64Array
  /** By block, the best possible score in the current search. */
  readonly bound: Float64Array
  /** By class, the number of changes since its nodes were sorted. */
  readonly changes: Int32Array
}

/** The input of the index: the free capacity of all nodes, and the score of a node, -Infinity if it is closed. */
export type Rooms = {
  readonly free: Float64Array
  readonly allocatable: Float64Array
  readonly width: number
  readonly score: (node: number) => number
}

export function makeFreeIndex(classes: readonly NodeClass[], { allocatable, width }: Rooms): FreeIndex {
  const firstBlock = new Int32Array(classes.length + 1)
  classes.forEach(({ nodes }, id) => {
    firstBlock[id + 1] = (firstBlock[id] ?? 0) + Math.ceil(nodes.length / BLOCK)
  })
  const blocks = firstBlock[classes.length] ?? 0
  const bySlot = () => new Float64Array(blocks * BLOCK).fill(-Infinity)
  const byBlock = () => new Float64Array(blocks).fill(-Infinity)
  const sizeOf = (resource: number) =>
    Float64Array.from(classes, ({ first }) => allocatable[first * width + resource] ?? 0)
  return {
    ...{ classes, firstBlock, sizeCpu: sizeOf(CPU), sizeMemory: sizeOf(MEMORY) },
    nodeAt: new Int32Array(blocks * BLOCK).fill(-1),
    slotOf: new Int32Array(classes.reduce((sum, { nodes }) => sum + nodes.length, 0)),
    ...{ cpu: bySlot(), memory: bySlot(), score: bySlot() },
    ...{ blockCpu: byBlock(), blockMemory: byBlock(), blockScore: byBlock(), bound: byBlock() },
    changes: new Int32Array(classes.length),
  }
}

/** Updates the index after a change of a node. */
export function refreshNode(index: FreeIndex, capacities: Rooms, id: number, node: number): void {
  const changes = (index.changes[id] ?? 0) + 1
  index.changes[id] = changes
  if (changes > (index.classes[id]?.nodes.length ?? 0) * CHANGES_PER_NODE) return sortClass(index, capacities, id)
  const slot = index.slotOf[node] ?? 0
  fillSlot(index, capacities, slot, node)
  refreshBlock(index, Math.floor(slot / BLOCK))
}

/** Sorts the nodes of a class, so that blocks hold similar nodes. */
export function sortClass(index: FreeIndex, capacities: Rooms, id: number): void {
  const { width, free } = capacities
  const nodes = index.classes[id]?.nodes ?? []
  const scarcest = findScarcest(nodes, capacities)
  const from = (index.firstBlock[id] ?? 0) * BLOCK
  nodes
    .map((node) => ({ node, free: free[node * width + scarcest] ?? 0 }))
    .sort((a, b) => a.free - b.free || a.node - b.node)
    .forEach(({ node }, rank) => {
      index.nodeAt[from + rank] = node
      index.slotOf[node] = from + rank
      fillSlot(index, capacities, from + rank, node)
    })
  for (let block = index.firstBlock[id] ?? 0; block < (index.firstBlock[id + 1] ?? 0); block += 1) {
    refreshBlock(index, block)
  }
  index.changes[id] = 0
}

/** CPU or memory, whichever the class has less of. */
function findScarcest(nodes: readonly number[], { free, allocatable, width }: Rooms): number {
  const [first = 0] = nodes
  const shareOf = (resource: number) => {
    const sum = nodes.reduce((total, node) => total + (free[node * width + resource] ?? 0), 0)
    return sum / Math.max(1, allocatable[first * width + resource] ?? 0)
  }
  return shareOf(CPU) <= shareOf(MEMORY) ? CPU : MEMORY
}

function fillSlot(index: FreeIndex, { free, width, score }: Rooms, slot: number, node: number): void {
  index.cpu[slot] = free[node * width + CPU] ?? 0
  index.memory[slot] = free[node * width + MEMORY] ?? 0
  index.score[slot] = score(node)
}

function refreshBlock(index: FreeIndex, block: number): void {
  const { cpu, memory, score } = index
  let mostCpu = -Infinity
  let mostMemory = -Infinity
  let best = -Infinity
  for (let slot = block * BLOCK; slot < (block + 1) * BLOCK; slot += 1) {
    const own = score[slot] ?? -Infinity
    if (own === -Infinity) continue
    if (own > best) best = own
    const ownCpu = cpu[slot] ?? 0
    if (ownCpu > mostCpu) mostCpu = ownCpu
    const ownMemory = memory[slot] ?? 0
    if (ownMemory > mostMemory) mostMemory = ownMemory
  }
  index.blockCpu[block] = mostCpu
  index.blockMemory[block] = mostMemory
  index.blockScore[block] = best
}

/** The searched capacity, and the best node so far. */
export type Search = {
  readonly need: Need
  /** The filters that depend on the single node. */
  readonly admits: (node: number) => boolean
  node: number
  score: number
}

/** How much a pod reduces the score of any node of the class. */
export function handicapIn({ sizeCpu, sizeMemory }: FreeIndex, { scoreCpu, scoreMemory }: Need, id: number): number {
  return share(scoreCpu, sizeCpu[id] ?? 0) + share(scoreMemory, sizeMemory[id] ?? 0)
}

export function share(amount: number, whole: number): number {
  return whole > 0 ? amount / whole : 0
}

/** An amount that is not requested is never too scarce. */
const least = (amount: number): number => (amount > 0 ? amount : -Infinity)

/** Notes the best possible score of each block of these classes. Returns the class with the best one; -1: none. */
export function boundBlocks(index: FreeIndex, classes: readonly number[], need: Need): number {
  const { firstBlock, blockCpu, blockMemory, blockScore, bound } = index
  const cpu = least(need.amounts[CPU] ?? 0)
  const memory = least(need.amounts[MEMORY] ?? 0)
  let best = -1
  let bestScore = -Infinity
  for (const id of classes) {
    const handicap = handicapIn(index, need, id)
    const end = firstBlock[id + 1] ?? 0
    for (let block = firstBlock[id] ?? 0; block < end; block += 1) {
      const hasCapacity = (blockCpu[block] ?? 0) >= cpu && (blockMemory[block] ?? 0) >= memory
      const score = hasCapacity ? (blockScore[block] ?? -Infinity) - handicap : -Infinity
      bound[block] = score
      if (score <= bestScore) continue
      best = id
      bestScore = score
    }
  }
  return best
}

/** Whether a block of the class may hold a better node than the best one so far, after `boundBlocks`. */
export function mayImprove({ firstBlock, bound }: FreeIndex, id: number, { score }: Search): boolean {
  const end = firstBlock[id + 1] ?? 0
  for (let block = firstBlock[id] ?? 0; block < end; block += 1) {
    const best = bound[block] ?? -Infinity
    if (best >= score && best > -Infinity) return true
  }
  return false
}

/** Improves the search to the admitted node of the class with enough capacity and the best score; ties: the first one. */
export function improve(index: FreeIndex, { free, width }: Rooms, id: number, search: Search): void {
  const { firstBlock, bound, cpu, memory, score, nodeAt } = index
  const { need, admits } = search
  const needCpu = least(need.amounts[CPU] ?? 0)
  const needMemory = least(need.amounts[MEMORY] ?? 0)
  const handicap = handicapIn(index, need, id)
  const end = firstBlock[id + 1] ?? 0
  for (let block = firstBlock[id] ?? 0; block < end; block += 1) {
    const best = bound[block] ?? -Infinity
    if (best < search.score || best === -Infinity) continue
    for (let slot = block * BLOCK; slot < (block + 1) * BLOCK; slot += 1) {
      const own = (score[slot] ?? -Infinity) - handicap
      if (own < search.score || (cpu[slot] ?? 0) < needCpu || (memory[slot] ?? 0) < needMemory) continue
      const node = nodeAt[slot] ?? -1
      if (own === search.score && node >= search.node) continue
      if (findShort(free, node * width, need) !== undefined || !admits(node)) continue
      search.node = node
      search.score = own
    }
  }
}
