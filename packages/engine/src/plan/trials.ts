import { settle } from '../packing/apply-proposals.ts'
import { tryDrain, undoDrain } from '../packing/drain-node.ts'
import { largestFirst, listPlacings, type Placing } from '../packing/placing.ts'
import { cordon, lift, put, uncordon, type State } from '../packing/state.ts'
import { Changes } from './changes.ts'
import type { PlanItem } from './plan.ts'

/** Another simulation of the cluster, in which rollouts and drains of all earlier steps placed the pods differently. */
export type Trial = { readonly state: State; readonly changes: Changes; readonly placing: Placing }

/** Each trial is a whole simulation, so larger clusters have fewer. */
const TRIALS: readonly { readonly nodesMax: number; readonly trials: number }[] = [
  { nodesMax: 20, trials: 16 },
  { nodesMax: 200, trials: 4 },
  { nodesMax: 1000, trials: 1 },
]

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
  const { trials = 0 } = TRIALS.find(({ nodesMax }) => model.nodes.length <= nodesMax) ?? {}
  return choosePlacings(listPlacings(model, model.pods.length), trials).map((placing) => {
    const state = fresh()
    const changes = new Changes(state, begun.items)
    for (const item of begun.made) changes.make(item)
    const grown = changes.reserve(begun.reserved)
    settle(state, [...new Set([...begun.made.flatMap((item) => changes.podsOf(item)), ...grown])])
    for (const node of begun.gone) tryDrain(state, node, placing)
    return { state, changes, placing }
  })
}

/** The most likely placement, and some of each kind. */
function choosePlacings(all: readonly Placing[], count: number): Placing[] {
  const every = Math.max(1, all.length / Math.max(1, count - 1))
  const some = all.filter((_placing, index) => index % every < 1)
  return [largestFirst, ...some].slice(0, count)
}

/** Whether a pod fits on no node after these changes are rolled out and the node is drained. Restores the trial afterwards. */
export function failsIn(trial: Trial, node: number, changed: readonly number[]): boolean {
  const { state, changes, placing } = trial
  const pending = changed.filter((item) => !changes.isMade(item))
  return changes.with(pending, () => {
    const moved = rollOut(trial, node, pending)
    const drain = tryDrain(state, node, placing)
    if (drain) undoDrain(state, drain)
    for (const { pod } of moved) lift(state, pod)
    for (const { pod, from } of moved) put(state, pod, from)
    return drain === undefined
  })
}

export function carryOut(trial: Trial, node: number, changed: readonly number[]): void {
  const { state, changes, placing } = trial
  const pending = changed.filter((item) => !changes.isMade(item))
  for (const item of pending) changes.make(item)
  rollOut(trial, node, pending)
  tryDrain(state, node, placing)
}

/** Replaces one pod after the other, on any node except the cordoned one. */
function rollOut(
  { state, changes, placing }: Trial,
  node: number,
  items: readonly number[],
): { pod: number; from: number }[] {
  const moved: { pod: number; from: number }[] = []
  cordon(state, node)
  const pods = [...new Set(items.flatMap((item) => changes.podsOf(item)))]
  for (const pod of placing.inOrder(state, pods)) {
    const from = state.nodeOf[pod] ?? -1
    if (from < 0 || state.model.leavesWithNode[pod] === 1) continue
    lift(state, pod)
    const to = placing.choose(state, pod)
    put(state, pod, to < 0 ? from : to)
    moved.push({ pod, from })
  }
  uncordon(state, node)
  return moved
}
