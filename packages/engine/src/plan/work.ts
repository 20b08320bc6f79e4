import type { Decimal } from '../decimal.ts'
import { undoDrain, type Drain } from '../packing/drain-node.ts'
import { countLive } from '../packing/drain-nodes.ts'
import { largestFirst, listPlacings, type Placing } from '../packing/placing.ts'
import { rewindState, snapshotState } from '../packing/snapshot-state.ts'
import { cordon, known, type State } from '../packing/state.ts'
import type { Changes } from './changes.ts'
import type { PlanBound, PlanItem, StepMove } from './plan.ts'
import type { TriedStep } from './carry-out.ts'
import { SMALL_NODES_MAX, tryInTrials, type Trial } from './trials.ts'

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
  placings: Placing[]
  /** Further placements, which are checked before a step is accepted. */
  untried: Placing[]
  /** Simulations of the plan with other placements, the most recent failure first. */
  trials: Trial[]
  /** How many pods the search may still place. */
  budget: number
  /** How many pods the trials may still place. */
  placements: number
  bounds: Set<PlanBound>
}

/** A cluster of thousands of nodes needs it; one of hundreds needs a tenth. */
const PLACEMENTS_MAX = 600_000
/** In all trials together. The search ends there: a plan offers no step that the trials did not carry out. */
const TRIAL_PLACEMENTS_MAX = 100_000
const TRIAL_PLACEMENTS_PER_NODE = 40

/** A plan removes about one node in five, which determines the number of trials of packing. */
const NODES_PER_GONE = 5
const TRIALS_OF_SMALL = 48

export const isSmall = ({ state }: Pick<Work, 'state'>): boolean => state.model.nodes.length <= SMALL_NODES_MAX

/** The search beyond the steps of the previous plan: it continues in the next analysis. */
export function limitSearch(work: Work): void {
  work.placements = Math.min(work.placements, TRIAL_PLACEMENTS_MAX / 4)
}

export const hasEffortLeft = ({ budget, placements }: Work): boolean => budget >= 0 && placements >= 0

export const openWork = (state: State, changes: Changes): Work => ({
  state,
  changes,
  placings: [largestFirst],
  untried: listTrials(state),
  trials: [],
  live: countLive(state),
  replaced: new Map(),
  budget: PLACEMENTS_MAX,
  placements: TRIAL_PLACEMENTS_MAX + TRIAL_PLACEMENTS_PER_NODE * state.model.nodes.length,
  bounds: new Set(),
})

/** Some of each kind. The trials of a larger cluster suffice. */
function listTrials(state: State): Placing[] {
  if (!isSmall({ state })) return []
  const { model } = state
  const moved = Math.ceil(model.pods.length / NODES_PER_GONE)
  const all = listPlacings(model, moved)
  const every = Math.max(1, all.length / TRIALS_OF_SMALL)
  return all.filter((_placing, index) => Math.floor(index % every) === 0)
}

/** Returns a function that reverts all later changes. */
export function markWork(work: Work): () => void {
  const undo = [markSimulation(work), ...work.trials.map(markTrial)]
  const lists = { placings: [...work.placings], untried: [...work.untried], trials: [...work.trials] }
  const live = new Map(work.live)
  const replaced = new Map(work.replaced)
  const { budget, placements } = work
  const bounds = new Set(work.bounds)
  return () => {
    for (const each of undo) each()
    work.placings = [...lists.placings]
    work.untried = [...lists.untried]
    work.trials = [...lists.trials]
    work.live = live
    work.replaced = replaced
    work.budget = budget
    work.placements = placements
    work.bounds = bounds
  }
}

/** Returns a function that restores the trial. */
export function markTrial(trial: Trial): () => void {
  const undo = markSimulation(trial)
  const { results } = trial
  return () => {
    undo()
    trial.results = results
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

export function commitReplacement(work: Work, node: number, savedBefore: Decimal): void {
  cordon(work.state, node)
  work.replaced.set(node, savedBefore)
}

/** Reverts `commitDrain` and the drain. */
export function undoCommit({ state, live }: Work, drain: Drain): void {
  const { name } = known(state.model.poolOf[drain.node])
  live.set(name, (live.get(name) ?? 0) + 1)
  undoDrain(state, drain)
}

/** Carries out a step in all trials. Undefined if a pod fits on no node in one of them. Otherwise a function that reverts the step. */
export const rehearseStep = (work: Work, step: TriedStep): (() => void) | undefined =>
  tryInTrials(work.trials, step, work)

export const movesOf = ({ state: { model } }: Work, { node, moves }: Drain): StepMove[] =>
  moves.map(({ pod, to }) => ({
    pod: known(model.pods[pod]).uid,
    from: known(model.nodes[node]).name,
    to: known(model.nodes[to]).name,
  }))

export const itemsOf = ({ changes }: Work, numbers: readonly number[]): PlanItem[] =>
  numbers.map((number) => known(changes.items[number]))
