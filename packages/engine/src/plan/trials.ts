import { settle } from '../packing/apply-proposals.ts'
import { tryDrain, undoDrain } from '../packing/drain-node.ts'
import type { Model } from '../packing/model.ts'
import { largestFirst, listAnywhere, listPlacings, listScored, type Placing } from '../packing/placing.ts'
import { cordon, lift, put, resizePod, uncordon, type State } from '../packing/state.ts'
import { Changes } from './changes.ts'
import type { PlanItem } from './plan.ts'

/** Another simulation of the cluster, in which rollouts and drains of all earlier steps placed the pods differently. */
export type Trial = { readonly state: State; readonly changes: Changes; readonly placing: Placing }

type Kinds = {
  readonly nodesMax: number
  /** By the scores of the scheduler. */
  readonly scored: number
  /** On any feasible node. */
  readonly anywhere: number
  /** Some of each kind of packing. */
  readonly others: number
}

/** Above this size, few placements of the scheduler are tried: its random choices can leave a pod pending. */
const SURE_NODES_MAX = 20

/** Each trial is a whole simulation, so larger clusters have fewer, and the largest none. */
const TRIALS: readonly Kinds[] = [
  { nodesMax: SURE_NODES_MAX, scored: 16, anywhere: 16, others: 15 },
  { nodesMax: 200, scored: 0, anywhere: 0, others: 3 },
  { nodesMax: 1000, scored: 0, anywhere: 0, others: 0 },
]

/** Whether the steps of a plan are checked in too few placements to rule out a pending pod. */
export const hasFewTrials = ({ nodes }: Model): boolean => nodes.length > SURE_NODES_MAX

type Begun = {
  readonly items: readonly PlanItem[]
  /** Changes of the first steps, and changes that reserve capacity for the requests they raise. */
  readonly made: readonly number[]
  readonly reserved: readonly number[]
  /** Removed nodes, in order. */
  readonly gone: readonly number[]
}

/** Repeats the first steps of the plan in each trial. */
export function openTrials(fresh: () => State, { model }: State, begun: Begun): Trial[] {
  return choosePlacings(model).map((placing) => {
    const state = fresh()
    const changes = new Changes(state, begun.items)
    for (const item of begun.made) changes.make(item)
    const grown = changes.reserve(begun.reserved)
    settle(state, [...new Set([...begun.made.flatMap((item) => changes.podsOf(item)), ...grown])])
    for (const node of begun.gone) tryDrain(state, node, placing)
    return { state, changes, placing }
  })
}

function choosePlacings(model: Model): Placing[] {
  const kinds = TRIALS.find(({ nodesMax }) => model.nodes.length <= nodesMax)
  if (!kinds) return []
  const all = listPlacings(model, model.pods.length)
  const every = Math.max(1, all.length / Math.max(1, kinds.others))
  const others = all.filter((_placing, index) => index % every < 1).slice(0, kinds.others)
  return [largestFirst, ...listScored(kinds.scored), ...listAnywhere(kinds.anywhere), ...others]
}

/** Whether a pod fits on no node after these changes are rolled out and the node is drained. Restores the trial afterwards. */
export function failsIn(trial: Trial, node: number, changed: readonly number[]): boolean {
  const { state, changes, placing } = trial
  const rollout = beginRollout(trial, changed)
  const moved = rollOut(trial, node, rollout)
  const drain = tryDrain(state, node, placing)
  if (drain) undoDrain(state, drain)
  for (const { pod } of moved) lift(state, pod)
  for (const { pod, from } of moved) put(state, pod, from)
  for (const item of rollout.items.toReversed()) changes.unmake(item)
  return drain === undefined
}

export function carryOut(trial: Trial, node: number, changed: readonly number[]): void {
  rollOut(trial, node, beginRollout(trial, changed))
  tryDrain(trial.state, node, trial.placing)
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
  for (const item of items) changes.make(item)
  const resized = new Map(
    pods.map((pod, index) => [pod, { before: before[index] ?? -1, after: state.needOf[pod] ?? -1 }]),
  )
  for (const [pod, { before: old }] of resized) resizePod(state, pod, old)
  return { items, resized }
}

/** Replaces one pod after the other, on any node except the cordoned one. */
function rollOut({ state, placing }: Trial, node: number, { resized }: Rollout): { pod: number; from: number }[] {
  const moved: { pod: number; from: number }[] = []
  cordon(state, node)
  for (const pod of placing.inOrder(state, [...resized.keys()])) {
    const from = state.nodeOf[pod] ?? -1
    resizePod(state, pod, resized.get(pod)?.after ?? -1)
    if (from < 0 || state.model.leavesWithNode[pod] === 1) continue
    lift(state, pod)
    const to = placing.choose(state, pod)
    put(state, pod, to < 0 ? from : to)
    moved.push({ pod, from })
  }
  uncordon(state, node)
  return moved
}
