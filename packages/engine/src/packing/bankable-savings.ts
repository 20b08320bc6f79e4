import type { Decimal } from '../decimal.ts'
import { HOURS_PER_MONTH } from '../time.ts'
import { addNodes, type AddedNodes } from './added-nodes.ts'
import { applyProposals, type Applied, type Freed } from './apply-proposals.ts'
import { isLiftable, type Blocker, type PodName } from './blocker.ts'
import type { PackingCluster } from './cluster.ts'
import { consolidate, type Consolidation } from './consolidate.ts'
import type { Drain } from './drain-node.ts'
import { inQueue } from './placing.ts'
import { undoDrains, type Drains } from './drain-nodes.ts'
import { nameOf } from './find-eviction-blocker.ts'
import { findNode } from './find-node.ts'
import { usdOf } from './needs.ts'
import { sortProposals, type Proposal } from './proposals.ts'
import { repackBound } from './repack-bound.ts'
import { spreadLeft, type SpreadLeft } from './spread-left.ts'
import { bindingResources, shareSaving } from './share-saving.ts'
import { anotherState, known, makeState, put, type State } from './state.ts'
import { drainSurely } from './sure-drains.ts'

export type FreedNode = {
  readonly node: string
  readonly pool: string
  readonly usdPerMonth: Decimal
  readonly unpriced: boolean
  /** Where its pods moved, in order. */
  readonly moves: readonly { readonly pod: string; readonly to: string }[]
}

export type KeptNode = {
  readonly node: string
  readonly pool: string
  readonly blocker: Blocker
  readonly podsFitElsewhere: boolean
}

/** The node could be drained, but the bill would stay: a user must remove it, or it is a commitment. */
export type ByHandNode = {
  readonly node: string
  readonly pool: string
  readonly why: 'nobody-scales-the-pool' | 'committed'
  readonly usdPerMonth: Decimal
}

export type Outcome = {
  /** The monthly reduction of the bill, minus `added`. */
  readonly usdPerMonth: Decimal
  readonly freed: readonly FreedNode[]
  readonly replaced: readonly { readonly node: string; readonly type: string; readonly usdPerMonth: Decimal }[]
  readonly kept: readonly KeptNode[]
  readonly byHand: readonly ByHandNode[]
  /**
   * The limit of a perfect repack of all pods, counted from the current cluster. Not savings: draining cannot reach it.
   */
  readonly upperBound: { readonly kind: 'global-repack'; readonly usdPerMonth: Decimal }
}

export type Share = {
  readonly id: string
  readonly usdPerMonth: Decimal
  /** `only-by-hand`: all changed pods run in pools without autoscaling. */
  readonly why: 'shared' | 'no-node-freed' | 'only-by-hand' | 'frees-nothing-that-binds'
}

export type JointOutcome = Outcome & {
  /** Additional nodes for pods that grow beyond their nodes. */
  readonly added: readonly { readonly pool: string; readonly count: number; readonly usdPerMonth: Decimal }[]
  /** They add up to `usdPerMonth`. */
  readonly shares: readonly Share[]
  /** Nodes that would also go without an annotation or a budget; the blocker is the first of these. */
  readonly unblocked: readonly UnblockedNode[]
  /** Nodes that go once their annotations and budgets are lifted as proposed; not part of `usdPerMonth`. */
  readonly lifted: readonly FreedNode[]
}

export type UnblockedNode = {
  readonly node: string
  readonly pool: string
  readonly blocker: Blocker
  readonly usdPerMonth: Decimal
  /** The spread of the pods under a budget; absent: another blocker. */
  readonly left?: SpreadLeft
}

export type BankableSavings = {
  /** Nodes that can be removed with the current requests. No recommendation is credited with them. */
  readonly present: Outcome
  /** For each set of proposals: the further nodes that can be removed. */
  readonly joint: readonly JointOutcome[]
  /** Pending pods that fit on no node in the simulation either. */
  readonly waiting: readonly PodName[]
}

export type Packing = Omit<BankableSavings, 'joint'> & {
  /**
   * Can be called repeatedly: each call starts from `present`. Annotations and budgets of the `lifted` nodes are
   * ignored.
   */
  readonly joint: (proposals: readonly Proposal[], lifted?: readonly string[]) => JointOutcome
  /** The simulation where `present` ended. Callers leave it as it was. `fresh` makes another one of the current cluster. */
  readonly simulation: { readonly state: State; readonly present: Consolidation; readonly fresh: () => State }
}

/**
 * The first run. Proposals may depend on its result, so `joint` is called later. Nodes that the previous plan removes are tried first,
 * so that the plan stays valid while they can go.
 */
export function packCluster(cluster: PackingCluster, planned: readonly string[] = []): Packing {
  const state = makeState(cluster)
  const waiting = placeWaiting(state)
  const first = consolidate(state, planned)
  const present = { ...describe(state, first), usdPerMonth: monthly(first.saved) }
  return {
    present,
    waiting,
    joint: (proposals, lifted = []) => computeJoint(state, sortProposals(proposals), first, lifted),
    simulation: { state, present: first, fresh: () => settled(anotherState(state)) },
  }
}

function settled(state: State): State {
  placeWaiting(state)
  return state
}

type Followed = {
  readonly applied: Applied
  readonly added: readonly AddedNodes[]
  readonly second: Consolidation
  readonly usdPerMonth: Decimal
}

/** Evaluates the state with the proposals applied, then restores it. */
function follow<Answer>(
  state: State,
  proposals: readonly Proposal[],
  first: Consolidation,
  look: (followed: Followed) => Answer,
): Answer {
  const applied = applyProposals(state, proposals)
  const added = addNodes(state, applied.unplaced)
  const cost = added.reduce((sum, { usdPerHour }) => sum + usdPerHour, 0n)
  const second = consolidate(state)
  const saved = second.saved - replacedOf(first) - cost
  // Without a change there are no savings. If no pod grew, a lower result than before is noise of the drain order and
  // counts as 0. If a pod grew, its growth is the cause and the loss counts.
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

/** Retries nodes whose blocker can be lifted. The state is restored afterwards. */
function liftNodes(state: State, { scaled }: Consolidation, names: readonly string[]) {
  const { nodes } = state.model
  const named = new Set(names)
  const held = [...scaled.kept].filter(
    ([node, { blocker }]) => named.has(known(nodes[node]).name) && isLiftable(blocker.code),
  )
  const drains = drainSurely(
    state,
    held.map(([node]) => node),
    { lift: 'annotations-and-budgets' },
  )
  const freed = drains.drains.map((drain) => describeFreed(state, drain))
  undoDrains(state, drains)
  const gone = new Set(freed.map(({ node }) => node))
  const rest = new Map([...drains.kept].map(([node, kept]) => [known(nodes[node]).name, kept]))
  /** The node with its current blocker; empty if the node is removed. */
  const keptAs = (kept: KeptNode): KeptNode[] => (gone.has(kept.node) ? [] : [{ ...kept, ...rest.get(kept.node) }])
  return { freed, keptAs }
}

/** The state is restored afterwards, because lifting a blocker is only a possibility. */
export function listUnblocked(state: State, { scaled }: { readonly scaled: Drains }): UnblockedNode[] {
  const { nodes } = state.model
  const blocked = [...scaled.kept].filter(([, { blocker }]) => isLiftable(blocker.code)).map(([node]) => node)
  const lifted = drainSurely(state, blocked, { lift: 'annotations-and-budgets', detail: 'codes' })
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

/** Places pending pods, some of which may fit beside smaller pods. */
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

/** Proposals whose pods are all in pools without autoscaling. */
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

export function monthly(usdPerHour: Decimal): Decimal {
  return usdPerHour * BigInt(HOURS_PER_MONTH)
}
