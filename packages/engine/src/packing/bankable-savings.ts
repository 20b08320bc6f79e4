import type { Decimal } from '../decimal.ts'
import { HOURS_PER_MONTH } from '../time.ts'
import { addNodes, type AddedNodes } from './added-nodes.ts'
import { applyProposals, type Applied, type Freed } from './apply-proposals.ts'
import { isLiftable, type Blocker, type PodName } from './blocker.ts'
import type { PackingCluster } from './cluster.ts'
import { consolidate, type Consolidation } from './consolidate.ts'
import type { Drain } from './drain-node.ts'
import { inQueue } from './placing.ts'
import { undoDrains } from './drain-nodes.ts'
import { nameOf } from './find-eviction-blocker.ts'
import { findNode } from './find-node.ts'
import { usdOf } from './needs.ts'
import { sortProposals, type Proposal } from './proposals.ts'
import { repackBound } from './repack-bound.ts'
import { spreadLeft, type SpreadLeft } from './spread-left.ts'
import { bindingResources, shareSaving } from './share-saving.ts'
import { known, makeState, put, type State } from './state.ts'
import { drainSurely } from './sure-drains.ts'

export type FreedNode = {
  readonly node: string
  readonly pool: string
  readonly usdPerMonth: Decimal
  readonly unpriced: boolean
  /** Where its pods went, in this order. */
  readonly moves: readonly { readonly pod: string; readonly to: string }[]
}

export type KeptNode = {
  readonly node: string
  readonly pool: string
  readonly blocker: Blocker
  readonly podsFitElsewhere: boolean
}

/** It could be emptied, but the bill would stay: somebody has to remove it, or it is paid for anyway. */
export type ByHandNode = {
  readonly node: string
  readonly pool: string
  readonly why: 'nobody-scales-the-pool' | 'committed'
  readonly usdPerMonth: Decimal
}

export type Outcome = {
  /** What leaves the bill each month, `added` taken off. */
  readonly usdPerMonth: Decimal
  readonly freed: readonly FreedNode[]
  readonly replaced: readonly { readonly node: string; readonly type: string; readonly usdPerMonth: Decimal }[]
  readonly kept: readonly KeptNode[]
  readonly byHand: readonly ByHandNode[]
  /**
   * What even a perfect re-pack of all pods could not exceed, counted from the cluster as it stands. Not a saving: nobody
   * can get there by draining.
   */
  readonly upperBound: { readonly kind: 'global-repack'; readonly usdPerMonth: Decimal }
}

export type Share = {
  readonly id: string
  readonly usdPerMonth: Decimal
  /** `only-by-hand`: all that it changes runs in pools that nobody scales. */
  readonly why: 'shared' | 'no-node-freed' | 'only-by-hand' | 'frees-nothing-that-binds'
}

export type JointOutcome = Outcome & {
  /** More nodes, for pods that grow out of the ones they are on. */
  readonly added: readonly { readonly pool: string; readonly count: number; readonly usdPerMonth: Decimal }[]
  /** They add up to `usdPerMonth`. */
  readonly shares: readonly Share[]
  /** Nodes that would go beyond all of that, were it not for a mark or a budget; the blocker is the first of them. */
  readonly unblocked: readonly UnblockedNode[]
  /** Of those whose marks and budgets were asked to be lifted, the ones that then go; no part of `usdPerMonth`. */
  readonly lifted: readonly FreedNode[]
}

export type UnblockedNode = {
  readonly node: string
  readonly pool: string
  readonly blocker: Blocker
  readonly usdPerMonth: Decimal
  /** Of what a budget protects; absent: something else keeps the node. */
  readonly left?: SpreadLeft
}

export type BankableSavings = {
  /** What can go with the requests as they are. No recommendation is credited with it. */
  readonly present: Outcome
  /** For each set of proposals, what goes beyond that. */
  readonly joint: readonly JointOutcome[]
  /** Pods that waited for a node and found none in the simulation either. */
  readonly waiting: readonly PodName[]
}

export type Packing = Omit<BankableSavings, 'joint'> & {
  /**
   * Ask as often as you like: each question begins where `present` ended. Of the nodes that are named, marks and budgets do not
   * count any more.
   */
  readonly joint: (proposals: readonly Proposal[], lifted?: readonly string[]) => JointOutcome
  /** The money of a question without anything around it: it takes a part of the time. */
  readonly savedBy: (proposals: readonly Proposal[]) => Decimal
}

/**
 * What really leaves the bill: runs the scheduler again, first with the requests as they are, then with those of each set of
 * proposals. The second begins where the first ended, so that it is credited with nothing that could go anyway, and no set
 * sees another.
 */
export function bankableSavings(cluster: PackingCluster, sets: readonly (readonly Proposal[])[]): BankableSavings {
  const { present, waiting, joint } = packCluster(cluster)
  return { present, waiting, joint: sets.map((proposals) => joint(proposals)) }
}

/** The first question; the second can be asked later, for proposals that depend on the answer to the first. */
export function packCluster(cluster: PackingCluster): Packing {
  const state = makeState(cluster)
  const waiting = placeWaiting(state)
  const first = consolidate(state)
  const present = { ...describe(state, first), usdPerMonth: monthly(first.saved) }
  return {
    present,
    waiting,
    joint: (proposals, lifted = []) => computeJoint(state, sortProposals(proposals), first, lifted),
    savedBy: (proposals) => follow(state, sortProposals(proposals), first, ({ usdPerMonth }) => usdPerMonth),
  }
}

type Followed = {
  readonly applied: Applied
  readonly added: readonly AddedNodes[]
  readonly second: Consolidation
  readonly usdPerMonth: Decimal
}

/** Shows the state as it is once the proposals are followed; afterwards it is as before. */
function follow<Answer>(
  state: State,
  proposals: readonly Proposal[],
  first: Consolidation,
  look: (followed: Followed) => Answer,
): Answer {
  const applied = applyProposals(state, proposals)
  const added = addNodes(state, applied.homeless)
  const cost = added.reduce((sum, { usdPerHour }) => sum + usdPerHour, 0n)
  const second = consolidate(state)
  const saved = second.saved - replacedOf(first) - cost
  // Nothing changed, nothing saved. If no pod grew, a pass that finds less than the one before only shows that draining is no
  // exact art; if one did, its growth is what stands in the way, as when a smaller node would have carried it before.
  const credited = applied.freed.length === 0 || (saved < 0n && !applied.grew) ? 0n : saved
  const answer = look({ applied, added, second, usdPerMonth: monthly(credited) })
  undoDrains(state, second.scaled)
  applied.undo()
  return answer
}

function computeJoint(
  state: State,
  proposals: readonly Proposal[],
  first: Consolidation,
  lifted: readonly string[],
): JointOutcome {
  const binding = bindingResources(state)
  return follow(state, proposals, first, ({ applied, added, second, usdPerMonth }) => {
    const shrinking = new Set(listShrinking(state, second))
    const shares = shareSaving(state, usdPerMonth, { freed: applied.freed, shrinking, binding })
    const outcome = describe(state, second)
    const unheld = liftNodes(state, second, lifted)
    return {
      ...outcome,
      kept: outcome.kept.flatMap((kept) => unheld.keptAs(kept)),
      usdPerMonth,
      added: added.map((each) => describeAdded(state, each)),
      shares: describeShares(proposals, shares, usdPerMonth, listByHand(state, applied.freed)),
      unblocked: listUnblocked(state, second),
      lifted: unheld.freed,
    }
  })
}

/** Tries those of the nodes again that something holds which can be lifted. Nothing has happened in the state afterwards. */
function liftNodes(state: State, { scaled }: Consolidation, names: readonly string[]) {
  const { nodes } = state.model
  const asked = new Set(names)
  const held = [...scaled.kept].filter(
    ([node, { blocker }]) => asked.has(known(nodes[node]).name) && isLiftable(blocker.code),
  )
  const drains = drainSurely(
    state,
    held.map(([node]) => node),
    { lift: 'marks-and-budgets' },
  )
  const freed = drains.drains.map((drain) => describeFreed(state, drain))
  undoDrains(state, drains)
  const gone = new Set(freed.map(({ node }) => node))
  const rest = new Map([...drains.kept].map(([node, kept]) => [known(nodes[node]).name, kept]))
  /** With what keeps it now; nothing if it goes. */
  const keptAs = (kept: KeptNode): KeptNode[] => (gone.has(kept.node) ? [] : [{ ...kept, ...rest.get(kept.node) }])
  return { freed, keptAs }
}

/** Nothing has happened in the state afterwards: whether somebody lifts a blocker is open. */
function listUnblocked(state: State, { scaled }: Consolidation): UnblockedNode[] {
  const { nodes } = state.model
  const blocked = [...scaled.kept].filter(([, { blocker }]) => isLiftable(blocker.code)).map(([node]) => node)
  const lifted = drainSurely(state, blocked, { lift: 'marks-and-budgets' })
  const found = lifted.drains.flatMap(({ node }) => {
    const blocker = scaled.kept.get(node)?.blocker
    return blocker ? [{ node: known(nodes[node]), blocker }] : []
  })
  const lefts = spreadLeft(
    state,
    found.map(({ blocker }) => blocker),
  )
  undoDrains(state, lifted)
  return found.map(({ node, blocker }, index) => {
    const left = lefts[index]
    const { name, pool } = node
    return { node: name, pool, blocker, usdPerMonth: monthly(usdOf(node)), ...(left ? { left } : {}) }
  })
}

const replacedOf = ({ replaced }: Consolidation) => replaced.reduce((sum, { saved }) => sum + saved, 0n)

/** The scheduler would have placed them had it found a node; with smaller pods around them some may fit. */
function placeWaiting(state: State): PodName[] {
  const waiting = state.model.pods.flatMap((_pod, index) => (state.nodeOf[index] === -1 ? [index] : []))
  return inQueue(state, waiting).flatMap((pod) => {
    const node = findNode(state, pod)
    if (node < 0) return [nameOf(known(state.model.pods[pod]))]
    put(state, pod, node)
    return []
  })
}

function listShrinking({ model }: State, { scaled, replaced }: Consolidation): string[] {
  return [...scaled.drains, ...replaced].map(({ node }) => known(model.poolOf[node]).name)
}

function describeShares(
  proposals: readonly Proposal[],
  shares: ReadonlyMap<string, Decimal>,
  usdPerMonth: Decimal,
  byHand: ReadonlySet<string>,
): Share[] {
  const none = usdPerMonth === 0n ? 'no-node-freed' : 'frees-nothing-that-binds'
  return proposals.map(({ id }) => {
    const share = usdPerMonth === 0n ? undefined : shares.get(id)
    if (share !== undefined) return { id, usdPerMonth: share, why: 'shared' }
    return { id, usdPerMonth: 0n, why: byHand.has(id) ? 'only-by-hand' : none }
  })
}

/** Those all of whose pods are in pools that nobody scales. */
function listByHand({ model }: State, freed: readonly Freed[]): Set<string> {
  const isScaled = ({ node }: Freed) => known(model.poolOf[node]).kind !== 'unmanaged'
  const elsewhere = new Set(freed.filter(isScaled).map(({ proposal }) => proposal))
  return new Set(freed.flatMap(({ proposal }) => (elsewhere.has(proposal) ? [] : [proposal])))
}

function describe(state: State, { scaled, replaced, byHand }: Consolidation): Omit<Outcome, 'usdPerMonth'> {
  const { nodes } = state.model
  const nameAt = (node: number) => known(nodes[node]).name
  return {
    freed: scaled.drains.map((drain) => describeFreed(state, drain)),
    replaced: replaced.map(({ node, type, saved }) => ({ node: nameAt(node), type, usdPerMonth: monthly(saved) })),
    kept: [...scaled.kept, ...byHand.kept]
      .sort(([a], [b]) => a - b)
      .map(([node, kept]) => ({ node: nameAt(node), pool: known(nodes[node]).pool, ...kept })),
    byHand: byHand.drains.map(({ node }) => ({
      node: nameAt(node),
      pool: known(nodes[node]).pool,
      why: nodes[node]?.committed ? 'committed' : 'nobody-scales-the-pool',
      usdPerMonth: monthly(usdOf(known(nodes[node]))),
    })),
    upperBound: { kind: 'global-repack', usdPerMonth: monthly(repackBound(state)) },
  }
}

function describeFreed({ model }: State, { node, moves }: Drain): FreedNode {
  const { name, pool, usdPerHour } = known(model.nodes[node])
  return {
    node: name,
    pool,
    usdPerMonth: usdPerHour === 'unpriced' ? 0n : monthly(usdPerHour),
    unpriced: usdPerHour === 'unpriced',
    moves: moves.map(({ pod, to }) => ({ pod: known(model.pods[pod]).uid, to: known(model.nodes[to]).name })),
  }
}

function describeAdded({ model }: State, { like, count, usdPerHour }: AddedNodes) {
  return { pool: known(model.poolOf[like]).name, count, usdPerMonth: monthly(usdPerHour) }
}

function monthly(usdPerHour: Decimal): Decimal {
  return usdPerHour * BigInt(HOURS_PER_MONTH)
}
