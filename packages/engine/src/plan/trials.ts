import { settle } from '../packing/apply-proposals.ts'
import type { Model } from '../packing/model.ts'
import { largestFirst, listAnywhere, listPlacings, listScored, type Placing } from '../packing/placing.ts'
import type { State } from '../packing/state.ts'
import { carryOut, repeat, revert, type CarriedOut, type Simulation, type TriedStep } from './carry-out.ts'
import type { Changes } from './changes.ts'

/** Up to this number of nodes, a plan tries as many placements as packing. */
export const SMALL_NODES_MAX = 20

/** Another simulation of the cluster, in which rollouts and drains of all earlier steps placed the pods differently. */
export type Trial = Simulation & {
  /** By step, its result with the current placement of pods. */
  results: StepResults
}

type Counts = {
  /** By the scores of the scheduler. */
  readonly scored: number
  /** On any feasible node. */
  readonly anywhere: number
  /** Some of each kind of packing. */
  readonly others: number
}

/** Each trial is a whole simulation, so a cluster with many pods has few. */
const SCORED_MAX = 32
const SCORED_MIN = 3
const PODS_OF_TRIALS = 48_000
/** Other kinds of placements, which visit all nodes. */
const NODES_FOR_OTHERS = 200

function countTrials({ nodes: { length: nodes }, pods }: Pick<Model, 'nodes' | 'pods'>): Counts {
  if (nodes <= SMALL_NODES_MAX) return { scored: 32, anywhere: 16, others: 15 }
  const affordable = Math.floor(PODS_OF_TRIALS / Math.max(1, pods.length))
  const others = nodes <= NODES_FOR_OTHERS ? 2 : 0
  return { scored: Math.min(SCORED_MAX, Math.max(SCORED_MIN, affordable)), anywhere: others, others }
}

/** Whether the steps of a plan are checked in too few placements to rule out a pending pod. */
export const hasFewTrials = ({ nodes }: Pick<Model, 'nodes'>): boolean => nodes.length > SMALL_NODES_MAX

/** The first steps of a plan, which each trial repeats. */
type Begun = {
  readonly changes: Changes
  /** Changes of the first steps. */
  readonly made: readonly number[]
}

/** One simulation for each placement, with the changes of the first steps. */
export const openTrials = (fresh: () => State, model: Model, begun: Begun): Trial[] =>
  listTrialPlacings(model).map((placing) => {
    const state = fresh()
    const changes = begun.changes.another(state)
    for (const item of begun.made) changes.make(item)
    const grown = changes.resizeReserved()
    settle(state, [...new Set([...begun.made.flatMap((item) => changes.podsOf(item)), ...grown])])
    return { state, changes, placing, results: new Map() }
  })

function listTrialPlacings(model: Model): Placing[] {
  const kinds = countTrials(model)
  const all = listPlacings(model, model.pods.length)
  const every = Math.max(1, all.length / Math.max(1, kinds.others))
  const others = all.filter((_placing, index) => index % every < 1).slice(0, kinds.others)
  const first = model.nodes.length <= SMALL_NODES_MAX ? [largestFirst] : []
  return [...first, ...interleave([listScored(kinds.scored), listAnywhere(kinds.anywhere), others])]
}

/** One of each list in turn. */
function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}

/** By step, what it changed; undefined: a pod fits on no node. */
type StepResults = Map<string, CarriedOut | undefined>

/** Reverts a step. The last step is reverted first. */
type Undo = () => void

/**
 * Carries out a step in every trial. If a pod fits on no node in a trial, all trials are restored, and this trial is the
 * first from then on.
 */
export function tryInTrials(trials: Trial[], step: TriedStep, effort: { placements: number }): Undo | undefined {
  const undos: Undo[] = []
  const undo = () => {
    for (const each of undos.toReversed()) each()
  }
  for (const [index, trial] of trials.entries()) {
    const undoStep = tryStep(trial, step, effort)
    if (!undoStep) {
      undo()
      trials.unshift(...trials.splice(index, 1))
      return undefined
    }
    undos.push(undoStep)
  }
  return undo
}

/**
 * A step that was tried with the same placement of pods has the same result. It is not searched again and uses no
 * placements.
 */
function tryStep(trial: Trial, step: TriedStep, effort: { placements: number }): Undo | undefined {
  const { results } = trial
  const key = `${step.nodes.join()} ${step.changed.join()} ${step.isReplaced === true}`
  const isKnown = results.has(key)
  const done = isKnown ? results.get(key) : carryOutOnce(trial, step, effort)
  results.set(key, done)
  if (!done) return undefined
  if (isKnown) repeat(trial, done)
  trial.results = new Map()
  return () => {
    revert(trial, done)
    trial.results = results
  }
}

function carryOutOnce(trial: Trial, step: TriedStep, effort: { placements: number }): CarriedOut | undefined {
  const used = { placements: 0 }
  const done = carryOut(trial, step, used)
  effort.placements -= used.placements
  return done
}
