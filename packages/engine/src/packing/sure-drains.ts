import type { Blocker } from './blocker.ts'
import { drainNode, redoDrain, type Drain } from './drain-node.ts'
import { drainNodes, undoDrains, type Draining, type Drains, type Kept } from './drain-nodes.ts'
import { listPlacings, type Placing } from './placing.ts'
import type { State } from './state.ts'

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
  { happened = [], ...how }: Draining & { readonly happened?: readonly Drain[] } = {},
): Drains {
  const unsure = new Map<number, Blocker>()
  for (let round = 1; ; round += 1) {
    const open = nodes.filter((node) => !unsure.has(node))
    const found = drainNodes(state, open, how)
    if (found.drains.length === 0) return withUnsure(found, unsure)
    undoDrains(state, found)
    const before = unsure.size
    const ways = noteUnsure(state, { happened, drains: found.drains }, unsure)
    if (unsure.size > before && round < (ways < WAYS_MANY ? 1 : ROUNDS_MAX)) continue
    const sure = found.drains.map(({ node }) => node).filter((node) => !unsure.has(node))
    const { drains, kept } = drainNodes(state, sure, how)
    return withUnsure({ drains, kept: new Map([...found.kept, ...kept]) }, unsure)
  }
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
