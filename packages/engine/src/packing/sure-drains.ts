import type { Blocker } from './blocker.ts'
import { drainNode, redoDrain, type Drain } from './drain-node.ts'
import { drainNodes, undoDrains, type Draining, type Drains, type Kept } from './drain-nodes.ts'
import { listPlacings, type Placing } from './placing.ts'
import { cordon, type State } from './state.ts'

/** In large clusters few trials are affordable, and one node is a small part of the savings. */
const ROUNDS_MAX = 4
const WAYS_MANY = 9

/**
 * Drains nodes, and keeps only the drains that succeed in every tried placement. The same nodes are drained again with
 * other pod orders and other node choices. A node whose pods then fit nowhere stays, and the others are tried again.
 * Earlier drains are repeated as well, because their pods may now be elsewhere.
 */
export function drainSurely(
  state: State,
  nodes: readonly number[],
  { happened = [], first = [], ...how }: SureDraining = {},
): Drains {
  const unsure = new Map<number, Blocker>()
  const isOpen = (node: number) => !unsure.has(node)
  for (let round = 1; ; round += 1) {
    const found = drainInTurn(state, first.filter(isOpen), nodes.filter(isOpen), how)
    if (found.drains.length === 0) return withUnsure(found, unsure)
    undoDrains(state, found)
    const before = unsure.size
    const ways = noteUnsure(state, { happened, drains: found.drains }, unsure)
    if (unsure.size > before && round < (ways < WAYS_MANY ? 1 : ROUNDS_MAX)) continue
    const sure = found.drains.map(({ node }) => node).filter(isOpen)
    const { drains, kept } = drainInTurn(state, sure, [], how)
    return withUnsure({ drains, kept: new Map([...found.kept, ...kept]) }, unsure)
  }
}

type SureDraining = Omit<Draining, 'order'> & {
  /** Drains that the state already contains. */
  readonly happened?: readonly Drain[]
  /** Nodes that are drained first, in this order. A node that fails is tried again at the end. */
  readonly first?: readonly number[]
}

function drainInTurn(state: State, first: readonly number[], others: readonly number[], how: Draining): Drains {
  const early = first.length === 0 ? undefined : drainNodes(state, first, { ...how, order: 'given' })
  const left = [...new Set([...first, ...others])].filter((node) => state.gone[node] === 0)
  const late = drainNodes(state, left, how)
  return { drains: [...(early?.drains ?? []), ...late.drains], kept: late.kept }
}

function withUnsure({ drains, kept }: Drains, unsure: ReadonlyMap<number, Blocker>): Drains {
  const dropped = [...unsure].map(([node, blocker]): [number, Kept] => [node, { blocker, podsFitElsewhere: false }])
  return { drains, kept: new Map([...kept, ...dropped]) }
}

type Trial = { readonly happened: readonly Drain[]; readonly drains: readonly Drain[] }

/**
 * Records the nodes that cannot be drained in every placement, with their blocker. Returns the number of placements
 * tried.
 */
function noteUnsure(state: State, { happened, drains }: Trial, unsure: Map<number, Blocker>): number {
  const moved = [...happened, ...drains].reduce((sum, { moves }) => sum + moves.length, 0)
  const placings = listPlacings(state.model, moved)
  undo(state, happened)
  for (const placing of placings) {
    const before = happened.flatMap(({ node }) => drainIn(state, node, placing) ?? [])
    const done = drains.flatMap(({ node }) => drainAgain(state, node, placing, unsure) ?? [])
    undo(state, [...before, ...done])
  }
  for (const drain of happened) redoDrain(state, drain)
  return placings.length
}

/**
 * Drains these nodes in this order. A node whose pods do not fit stays, and is cordoned: its capacity must not make
 * later drains look safe.
 */
export function drainInOrder(state: State, nodes: readonly number[], placing: Placing): void {
  for (const node of nodes) if (!drainIn(state, node, placing)) cordon(state, node)
}

const undo = (state: State, drains: readonly Drain[]) => undoDrains(state, { drains, kept: new Map() })

function drainIn(state: State, node: number, placing: Placing): Drain | undefined {
  const attempt = drainNode(state, node, placing)
  return attempt.kind === 'drained' ? attempt.drain : undefined
}

/** Skips nodes that are known to be unsure, and records new ones. */
function drainAgain(state: State, node: number, placing: Placing, unsure: Map<number, Blocker>): Drain | undefined {
  if (unsure.has(node)) return undefined
  const attempt = drainNode(state, node, placing)
  if (attempt.kind === 'drained') return attempt.drain
  const { blocker } = attempt
  unsure.set(node, blocker.code === 'pod-does-not-fit' ? { ...blocker, code: 'pod-may-not-fit' } : blocker)
  return undefined
}
