import { groupBy } from '../group-by.ts'
import { settle } from '../packing/apply-proposals.ts'
import { tryDrain, undoDrain, type Drain } from '../packing/drain-node.ts'
import { findNode } from '../packing/find-node.ts'
import type { Model } from '../packing/model.ts'
import { largestFirst, listAnywhere, listPlacings, listScored, type Placing } from '../packing/placing.ts'
import { cordon, known, lift, put, resizePod, uncordon, type State } from '../packing/state.ts'
import type { Changes } from './changes.ts'

/** Up to this number of nodes, a plan tries as many placements as packing. */
export const SMALL_NODES_MAX = 20

/** Another simulation of the cluster, in which rollouts and drains of all earlier steps placed the pods differently. */
export type Trial = { readonly state: State; readonly changes: Changes; readonly placing: Placing }

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
    return { state, changes, placing }
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

export type TriedStep = {
  /** Changes that are rolled out before the drains. */
  readonly changed: readonly number[]
  readonly nodes: readonly number[]
  /** A cheaper node replaces the nodes, so no further pods are placed on them. */
  readonly isReplaced?: boolean
}

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

function tryStep(
  trial: Trial,
  { changed, nodes, isReplaced = false }: TriedStep,
  effort: { placements: number },
): Undo | undefined {
  const { state, placing } = trial
  const present = nodes.filter((node) => state.gone[node] === 0)
  const rollout = beginRollout(trial, changed)
  const { moved, isPending } = rollOut(trial, present[0], rollout)
  effort.placements -= moved.length
  const closed = isReplaced ? present.filter((node) => state.closed[node] === 0) : []
  for (const node of closed) cordon(state, node)
  const drains: Drain[] = []
  const undo = () => {
    for (const drain of drains.toReversed()) undoDrain(state, drain)
    for (const node of closed) uncordon(state, node)
    undoRollout(trial, rollout, moved)
  }
  const isEmptied = () =>
    present.every((node) => {
      effort.placements -= known(state.podsOn[node]).length
      const drain = tryDrain(state, node, placing)
      if (drain) drains.push(drain)
      return drain !== undefined
    })
  if (!isPending && (isReplaced || isEmptied())) return undo
  undo()
  return undefined
}

type Rollout = {
  readonly items: readonly number[]
  /** By pod, its old and new requests. */
  readonly resized: ReadonlyMap<number, { readonly before: number; readonly after: number }>
}

/** Makes the changes that are not made yet. Each pod keeps its old requests until it is replaced. */
function beginRollout({ state, changes }: Trial, changed: readonly number[]): Rollout {
  const items = changed.filter((item) => !changes.isMade(item))
  const pods = [...new Set(items.flatMap((item) => changes.podsOf(item)))]
  const before = pods.map((pod) => state.needOf[pod] ?? -1)
  for (const item of items) changes.announce(item)
  const resized = new Map(pods.map((pod, index) => [pod, { before: before[index] ?? -1, after: changes.needOf(pod) }]))
  return { items, resized }
}

type Move = { readonly pod: number; readonly from: number }

/**
 * Replaces one pod after the other, on any node except the cordoned one. A pod of the cordoned node that fits nowhere
 * waits for the drain. Any other pod that fits nowhere is pending, and returns to its node only in the simulation.
 */
function rollOut({ state, placing }: Trial, node: number | undefined, { resized }: Rollout) {
  const moved: Move[] = []
  let isPending = false
  const isCordoned = node !== undefined && resized.size > 0 && state.closed[node] === 0
  if (isCordoned) cordon(state, node)
  for (const pod of inRolloutOrder(state, placing, [...resized.keys()])) {
    const from = state.nodeOf[pod] ?? -1
    const after = resized.get(pod)?.after ?? -1
    if (from < 0 || state.model.leavesWithNode[pod] === 1) {
      resizePod(state, pod, after)
      continue
    }
    lift(state, pod)
    state.needOf[pod] = after
    const to = placing.choose(state, pod)
    isPending ||= to < 0 && state.closed[from] === 0 && findNode(state, pod) < 0
    put(state, pod, to < 0 ? from : to)
    moved.push({ pod, from })
    if (isPending) break
  }
  if (isCordoned) uncordon(state, node)
  return { moved, isPending }
}

function undoRollout({ state, changes }: Trial, { items, resized }: Rollout, moved: readonly Move[]): void {
  for (const { pod } of moved) lift(state, pod)
  for (const [pod, { before }] of resized) if (state.needOf[pod] !== before) resizePod(state, pod, before)
  for (const { pod, from } of moved) put(state, pod, from)
  for (const item of items.toReversed()) changes.revoke(item)
}

function inRolloutOrder(state: State, { inOrder, rollout }: Placing, pods: readonly number[]): number[] {
  if (!rollout) return inOrder(state, pods)
  const byWorkload = groupBy(pods, (pod) => state.model.pods[pod]?.workload)
  const inStepOrder = [...byWorkload.values()]
  const ownOf = new Map(inStepOrder.map((own) => [own[0] ?? -1, own]))
  const first = rollout === 'in-step-order' ? [...ownOf.keys()] : inOrder(state, [...ownOf.keys()])
  return first.flatMap((pod) => inOrder(state, ownOf.get(pod) ?? []))
}
