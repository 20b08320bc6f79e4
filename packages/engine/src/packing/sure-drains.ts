import type { Blocker } from './blocker.ts'
import { drainNode, redoDrain, type Drain } from './drain-node.ts'
import { drainNodes, undoDrains, type Drains, type Kept, type Lift } from './drain-nodes.ts'
import { listPlacings, type Placing } from './placing.ts'
import type { State } from './state.ts'

/** Where few ways can be tried, the cluster is large, and one node is a small part of the saving. */
const ROUNDS_MAX = 4
const WAYS_MANY = 9

/**
 * Drains nodes, and keeps only the drains that do not depend on luck: the same nodes are emptied again, with their pods in other
 * orders and on other nodes. A node whose pods then find no place stays, and the others are looked at anew. The drains that
 * have happened already are emptied again, too: their pods may lie elsewhere by then.
 */
export function drainSurely(
  state: State,
  nodes: readonly number[],
  { lift = 'nothing', happened = [] }: { lift?: Lift; happened?: readonly Drain[] } = {},
): Drains {
  const unsure = new Map<number, Blocker>()
  for (let round = 1; ; round += 1) {
    const open = nodes.filter((node) => !unsure.has(node))
    const found = drainNodes(state, open, lift)
    if (found.drains.length === 0) return withUnsure(found, unsure)
    undoDrains(state, found)
    const before = unsure.size
    const ways = noteUnsure(state, { happened, drains: found.drains }, unsure)
    if (unsure.size > before && round < (ways < WAYS_MANY ? 1 : ROUNDS_MAX)) continue
    const sure = found.drains.map(({ node }) => node).filter((node) => !unsure.has(node))
    const { drains, kept } = drainNodes(state, sure, lift)
    return withUnsure({ drains, kept: new Map([...found.kept, ...kept]) }, unsure)
  }
}

function withUnsure({ drains, kept }: Drains, unsure: ReadonlyMap<number, Blocker>): Drains {
  const dropped = [...unsure].map(([node, blocker]): [number, Kept] => [node, { blocker, podsFitElsewhere: false }])
  return { drains, kept: new Map([...kept, ...dropped]) }
}

type Trial = { readonly happened: readonly Drain[]; readonly drains: readonly Drain[] }

/** Notes the nodes that cannot be emptied in every way, each with what stopped it. Says how many ways were tried. */
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

/** Unless the node is known to be unsure; notes it where it turns out to be. */
function drainAgain(state: State, node: number, placing: Placing, unsure: Map<number, Blocker>): Drain | undefined {
  if (unsure.has(node)) return undefined
  const attempt = drainNode(state, node, placing)
  if (attempt.kind === 'drained') return attempt.drain
  const { blocker } = attempt
  unsure.set(node, blocker.code === 'pod-does-not-fit' ? { ...blocker, code: 'pod-may-not-fit' } : blocker)
  return undefined
}
