import { groupBy } from '../group-by.ts'
import { listUnblocked, type Packing, type UnblockedNode } from '../packing/bankable-savings.ts'
import type { Drain } from '../packing/drain-node.ts'
import { undoDrains, type Drains } from '../packing/drain-nodes.ts'
import { drainInOrder } from '../packing/sure-drains.ts'
import { rewindState, snapshotState } from '../packing/snapshot-state.ts'
import { known, type State } from '../packing/state.ts'
import type { Decimal } from '../decimal.ts'
import { removeCheckedNode } from './can-go.ts'
import { Changes } from './changes.ts'
import { draftOf, sumUsd, usdOfNode, type Draft } from './draft.ts'
import { drainAgain, drainByHand, drainSteps } from './drain-steps.ts'
import { finishPlan } from './finish-plan.ts'
import { findChanges, listPending } from './find-changes.ts'
import { drainWithAll, freeSteps, possibleUsd } from './free-steps.ts'
import { keepFreeSteps } from './keep-steps.ts'
import type { Plan, PlanInput, PlanItem, PreviousStep } from './plan.ts'
import { protectSteps, removeSteps, splitRaising } from './protect-steps.ts'
import { replaceSteps } from './replace-steps.ts'
import { switchSteps } from './switch-steps.ts'
import { hasFewTrials, openTrials } from './trials.ts'
import { itemsOf, limitSearch, markTrial, markWork, openWork, rehearseStep, type Work } from './work.ts'

/** A plan up to its last step from packing. Some recommendations depend on these steps. */
export type StartedPlan = {
  /** Nodes that the plan or the autoscaler removes. */
  readonly gone: ReadonlySet<string>
  /** Further nodes that are removable without their PodDisruptionBudget or annotation. */
  readonly unblocked: readonly UnblockedNode[]
  /** Called once, with these items and later ones. */
  readonly finish: (input: PlanInput) => Plan
}

/** A new order of the free steps must save this much more than the previous one, in percent. */
const WIN_PERCENT_MIN = 10n

export function planCluster(packing: Pick<Packing, 'simulation'>, input: PlanInput): Plan {
  return startPlan(packing, input).finish(input)
}

/**
 * From packing to steps: protect, remove, drain, free. Each step is computed with exactly the earlier steps applied.
 * The simulation is restored when the plan is finished.
 */
export function startPlan(
  { simulation: { state, present, fresh } }: Pick<Packing, 'simulation'>,
  { items, previous = [] }: Pick<PlanInput, 'items' | 'previous'>,
): StartedPlan {
  const saved = snapshotState(state)
  const changes = new Changes(state, items)
  const work = openWork(state, changes)
  const ofRole = groupBy(items, ({ role }) => role)
  const movesFirst = changes.items.some(({ role }) => role === 'protect' || role === 'remove')
  const isGrown = movesFirst || splitRaising(changes).reserving.length > 0
  if (isGrown) reopen(work, present.scaled.drains)
  const protect = protectSteps(work, ofRole.get('protect') ?? [], previous)
  const isOfPods = ({ changes: own }: PlanItem) => own.length > 0
  const removing = (ofRole.get('remove') ?? []).filter(isOfPods)
  const remove = removeSteps(work, removing, previous)
  const scaled = isGrown ? drainAgain(work, nodesOf(present.scaled)) : present.scaled.drains
  const draining = ofRole.get('drain') ?? []
  const likely = [...scaled, ...drainByHand(work, { items: draining, previous, scaled })]
  if (hasFewTrials(state.model)) work.bounds.add('few-placements-tried')
  work.trials = openTrials(fresh, state.model, { changes, made: changes.listMade() })
  for (const { state: other, placing } of work.trials) drainInOrder(other, numbersOf(state, remove), placing)
  const drains = confirmDrains(work, likely)
  const { free: freed, kept } = arrange(work, previous, drains)
  const { drain, free } = divideDrains(work, { drains, draining, freed, previous })
  const replace = replaceSteps(work, kept)
  const { nodes } = state.model
  return {
    gone: new Set(nodes.flatMap(({ name }, node) => (state.gone[node] === 1 ? [name] : []))),
    unblocked: changes.with(listPending(work), () =>
      listUnblocked(state, { scaled: { drains: [], kept: stillThere(work, kept) } }),
    ),
    finish: (input) => {
      const unblock = unblockSteps(
        work,
        input.items.filter(({ role }) => role === 'unblock'),
        previous,
      )
      const switching = input.items.filter(({ role }) => role === 'switch')
      const switched = switchSteps(work, switching, present.replaced)
      const drafts = [...protect, ...remove, ...drain, ...free, ...replace, ...unblock, ...switched]
      const found = {
        bounds: [...work.bounds],
        drained: nodesOf(present.scaled).map((node) => known(nodes[node]).name),
        podsOf: countPods(work),
        podsOn: countPodsOn(state),
      }
      const plan = finishPlan(drafts, input, found)
      rewindState(state, saved)
      return plan
    },
  }
}

const nodesOf = ({ drains }: Drains) => drains.map(({ node }) => node)

const numbersOf = ({ model }: State, drafts: readonly Draft[]) =>
  drafts.flatMap(({ nodes }) => nodes.flatMap(({ name }) => model.nodeNumbers.get(name) ?? []))

/** Restores the nodes that packing removed, because larger requests may need them. */
function reopen(work: Work, drains: readonly Drain[]): void {
  undoDrains(work.state, { drains, kept: new Map() })
  for (const { node } of drains) {
    const { name } = known(work.state.model.poolOf[node])
    work.live.set(name, (work.live.get(name) ?? 0) + 1)
  }
}

/** Drains these nodes in the trials. A node that fails in a trial stays, and the plan drains the others again. */
function confirmDrains(work: Work, likely: readonly Drain[]): readonly Drain[] {
  const restore = work.trials.map(markTrial)
  for (let drains = likely; ;) {
    const sure = drains.map(({ node }) => node).filter((node) => rehearseStep(work, { changed: [], nodes: [node] }))
    if (sure.length === drains.length) return drains
    reopen(work, drains)
    drains = drainAgain(work, sure)
    if (drains.length === sure.length) return drains
    for (const each of restore) each()
  }
}

/** The free steps: previous steps that still apply and new ones after them, unless a new order saves enough more. */
function arrange(
  work: Work,
  previous: readonly PreviousStep[],
  gone: readonly Drain[],
): { free: Draft[]; kept: Drains['kept'] } {
  const begin = markWork(work)
  const standing = keepFreeSteps(work, previous, gone)
  if (standing.length > 0) limitSearch(work)
  const added = freeSteps(work)
  const steady = { free: [...standing, ...added.drafts], kept: added.kept }
  // A search that used all its placements would find no more in a new order.
  if (standing.length === 0 || work.bounds.has('search-stopped')) return steady
  const steadyEnd = markWork(work)
  begin()
  const possible = drainWithAll(work)
  if (wins(possibleUsd(work, possible), steady.free)) {
    const { drafts, kept } = freeSteps(work, possible)
    if (wins(sumUsd(drafts), steady.free)) return { free: [...drafts], kept }
  }
  steadyEnd()
  return steady
}

const wins = (usd: Decimal, steady: readonly Draft[]) =>
  usd * 100n >= sumUsd(steady) * (100n + WIN_PERCENT_MIN) && usd > 0n

type Division = {
  readonly drains: readonly Drain[]
  readonly draining: readonly PlanItem[]
  readonly freed: readonly Draft[]
  readonly previous: readonly PreviousStep[]
}

/**
 * A free step with applied changes keeps its nodes until they are removed. Without own recommendations, it takes over
 * those that name only its nodes. All other removable nodes belong to drain steps.
 */
function divideDrains(work: Work, { drains, draining, freed, previous }: Division): { drain: Draft[]; free: Draft[] } {
  const ownerOf = new Map(freed.flatMap((draft) => draft.nodes.map(({ name }) => [name, draft] as const)))
  const nameOf = ({ node }: Drain) => known(work.state.model.nodes[node]).name
  const others = drains.filter((each) => !ownerOf.has(nameOf(each)))
  const left = new Set(others.map(nameOf))
  const isGone = new Set(drains.map(nameOf))
  const taker = ({ nodes }: PlanItem): Draft | undefined => {
    if (nodes.some((name) => left.has(name))) return undefined
    const owner = ownerOf.get(nodes.find((name) => isGone.has(name)) ?? '')
    return owner?.items.length === 0 ? owner : undefined
  }
  const taken = groupBy(draining, taker)
  return {
    drain: drainSteps(work, others, taken.get(undefined) ?? [], previous),
    free: freed.map((draft) => ({ ...draft, items: [...draft.items, ...(taken.get(draft) ?? [])] })),
  }
}

const stillThere = ({ state }: Work, kept: Drains['kept']): Drains['kept'] =>
  new Map([...kept].filter(([node]) => state.gone[node] === 0))

/** Nodes that are removable once their blocker is lifted, with the further changes that this needs. */
function unblockSteps(work: Work, items: readonly PlanItem[], previous: readonly PreviousStep[]): Draft[] {
  const numbers = new Map(work.state.model.nodes.map(({ name }, node) => [name, node]))
  const idOf = new Map(
    previous.flatMap(({ id, members, kind }) => (kind === 'free' ? members.map((key) => [key, id] as const) : [])),
  )
  const order = new Map([...idOf.keys()].map((key, index) => [key, index]))
  const inOrder = items.toSorted(
    (a, b) => (order.get(a.key) ?? Infinity) - (order.get(b.key) ?? Infinity) || (a.key < b.key ? -1 : 1),
  )
  return inOrder.flatMap((item) => {
    const node = numbers.get(item.nodes[0] ?? '')
    if (node === undefined || usdOfNode(work.state, node) <= 0n) return []
    const lift = 'annotations-and-budgets'
    const chosen = findChanges(work, { node, targets: [], lift })
    if (!chosen) return []
    for (const each of chosen) work.changes.make(each)
    const drain = removeCheckedNode(work, node, chosen)
    if (!drain) {
      for (const each of chosen.toReversed()) work.changes.unmake(each)
      return []
    }
    const id = idOf.get(item.key)
    return draftOf(work, {
      kind: 'free',
      items: [item, ...itemsOf(work, chosen)],
      drains: [drain],
      ...(id === undefined ? {} : { id }),
    })
  })
}

/** Number of running pods that an item restarts. Removed pods end. */
function countPods({ state, changes }: Work): (item: PlanItem) => number {
  const numbers = new Map(changes.items.map(({ key }, number) => [key, number]))
  return ({ key, changes: own }) => {
    const number = numbers.get(key)
    const isResized = own.some(({ kind }) => kind === 'resize')
    return number === undefined || !isResized
      ? 0
      : changes.podsOf(number).filter((pod) => !state.model.pods[pod]?.isAbsent).length
  }
}

/** Without the pods that end with their node. */
const countPodsOn =
  ({ model, podsOn }: State) =>
  (names: readonly string[]): number =>
    names
      .flatMap((name) => known(podsOn[model.nodeNumbers.get(name) ?? -1] ?? []))
      .filter((pod) => model.leavesWithNode[pod] === 0).length
