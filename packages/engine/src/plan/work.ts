import type { Decimal } from '../decimal.ts'
import type { Drain } from '../packing/drain-node.ts'
import { countLive } from '../packing/drain-nodes.ts'
import { largestFirst, listPlacings, type Placing } from '../packing/placing.ts'
import { rewindState, snapshotState } from '../packing/snapshot-state.ts'
import { cordon, known, type State } from '../packing/state.ts'
import type { Changes } from './changes.ts'
import type { PlanBound, PlanItem, StepMove } from './plan.ts'
import type { Trial } from './trials.ts'

/** Input of a plan: the simulation with all earlier steps applied, and the remaining search limit. */
export type Work = {
  readonly state: State
  readonly changes: Changes
  /** By pool, the number of remaining nodes. */
  live: Map<string, number>
  /**
   * Nodes that a cheaper instance type replaces once their pods request less: no further pods are placed on them. With
   * the savings per hour of a replacement without that step.
   */
  replaced: Map<number, Decimal>
  /** Placements that failed before, the most recent first. */
  readonly placings: Placing[]
  /** Further placements, which are checked before a step is accepted. */
  readonly untried: Placing[]
  /** Simulations of the plan with other placements, the most recent failure first. */
  trials: Trial[]
  /** How many pods the search may still place. */
  budget: number
  bounds: Set<PlanBound>
}

/** A cluster of thousands of nodes needs it; one of hundreds needs a tenth. */
const PLACEMENTS_MAX = 600_000

/** A plan removes about one node in five, which determines the number of trials of packing. */
const NODES_PER_GONE = 5
/** Trying every choice of nodes checks every node in each trial, so only small clusters do this. */
const NODES_FOR_CHOICES = 20
const TRIALS_OF_SMALL = 48
const TRIALS_OF_LARGE = 3

export const openWork = (state: State, changes: Changes): Work => ({
  state,
  changes,
  placings: [largestFirst],
  untried: listTrials(state),
  trials: [],
  live: countLive(state),
  replaced: new Map(),
  budget: PLACEMENTS_MAX,
  bounds: new Set(),
})

/** Some of each kind. */
function listTrials({ model }: State): Placing[] {
  const nodes = model.nodes.length
  const moved = Math.ceil(model.pods.length / NODES_PER_GONE)
  const all = listPlacings(model, moved)
  if (nodes > NODES_FOR_CHOICES) return all.slice(0, TRIALS_OF_LARGE)
  const every = Math.max(1, all.length / TRIALS_OF_SMALL)
  return all.filter((_placing, index) => Math.floor(index % every) === 0)
}

/** Returns a function that reverts all later changes. */
export function markWork(work: Work): () => void {
  const undo = [work, ...work.trials].map(markSimulation)
  const live = new Map(work.live)
  const replaced = new Map(work.replaced)
  const { budget } = work
  const bounds = new Set(work.bounds)
  return () => {
    for (const each of undo) each()
    work.live = live
    work.replaced = replaced
    work.budget = budget
    work.bounds = bounds
  }
}

function markSimulation({ state, changes }: Pick<Work, 'state' | 'changes'>): () => void {
  const saved = snapshotState(state)
  const made = changes.listMade()
  return () => {
    rewindState(state, saved)
    changes.resetMade(made)
  }
}

export function commitDrain({ state, live }: Work, { node }: Drain): void {
  const { name } = known(state.model.poolOf[node])
  live.set(name, (live.get(name) ?? 0) - 1)
}

export function commitReplacement({ state, replaced }: Work, node: number, savedBefore: Decimal): void {
  cordon(state, node)
  replaced.set(node, savedBefore)
}

export const movesOf = ({ state: { model } }: Work, { node, moves }: Drain): StepMove[] =>
  moves.map(({ pod, to }) => ({
    pod: known(model.pods[pod]).uid,
    from: known(model.nodes[node]).name,
    to: known(model.nodes[to]).name,
  }))

export const itemsOf = ({ changes }: Work, numbers: readonly number[]): PlanItem[] =>
  numbers.map((number) => known(changes.items[number]))
