import { groupBy } from '../group-by.ts'
import { redoDrain, tryDrain, undoDrain, type Drain } from '../packing/drain-node.ts'
import { findNode } from '../packing/find-node.ts'
import type { Placing } from '../packing/placing.ts'
import { cordon, known, lift, put, resizePod, uncordon, type State } from '../packing/state.ts'
import type { Changes } from './changes.ts'

/** A simulation of the cluster with a placement of pods. */
export type Simulation = { readonly state: State; readonly changes: Changes; readonly placing: Placing }

export type TriedStep = {
  /** Changes that are rolled out before the drains. */
  readonly changed: readonly number[]
  readonly nodes: readonly number[]
  /** A cheaper node replaces the nodes, so no further pods are placed on them. */
  readonly isReplaced?: boolean
}

/** What a step changed in a simulation. */
export type CarriedOut = {
  readonly rollout: Rollout
  readonly moved: readonly Move[]
  readonly cordoned: readonly number[]
  readonly drains: readonly Drain[]
}

/**
 * Rolls out the changes of a step and drains its nodes. Undefined if a pod fits on no node; the simulation is restored
 * then. Counts the placed pods.
 */
export function carryOut(
  simulation: Simulation,
  { changed, nodes, isReplaced = false }: TriedStep,
  effort: { placements: number },
): CarriedOut | undefined {
  const { state, placing } = simulation
  const present = nodes.filter((node) => state.gone[node] === 0)
  const rollout = beginRollout(simulation, changed)
  const { moved, isPending } = rollOut(simulation, present[0], rollout)
  effort.placements += moved.length
  const cordoned = isReplaced ? present.filter((node) => state.closed[node] === 0) : []
  for (const node of cordoned) cordon(state, node)
  const drains: Drain[] = []
  const done = { rollout, moved, cordoned, drains }
  const isEmptied = () =>
    present.every((node) => {
      effort.placements += known(state.podsOn[node]).length
      const drain = tryDrain(state, node, placing)
      if (drain) drains.push(drain)
      return drain !== undefined
    })
  if (!isPending && (isReplaced || isEmptied())) return done
  revert(simulation, done)
  return undefined
}

export function revert(simulation: Simulation, { rollout, moved, cordoned, drains }: CarriedOut): void {
  const { state } = simulation
  for (const drain of drains.toReversed()) undoDrain(state, drain)
  for (const node of cordoned) uncordon(state, node)
  undoRollout(simulation, rollout, moved)
}

/** Carries out a step again that `revert` reverted, with the same targets of all pods. */
export function repeat({ state, changes }: Simulation, { rollout, moved, cordoned, drains }: CarriedOut): void {
  const { items, resized } = rollout
  for (const item of items) changes.announce(item)
  for (const { pod } of moved) lift(state, pod)
  for (const [pod, { after }] of resized) resizePod(state, pod, after)
  for (const { pod, to } of moved) put(state, pod, to)
  for (const node of cordoned) cordon(state, node)
  for (const drain of drains) redoDrain(state, drain)
}

type Rollout = {
  readonly items: readonly number[]
  /** By pod, its old and new requests. */
  readonly resized: ReadonlyMap<number, { readonly before: number; readonly after: number }>
}

/** Makes the changes that are not made yet. Each pod keeps its old requests until it is replaced. */
function beginRollout({ state, changes }: Simulation, changed: readonly number[]): Rollout {
  const items = changed.filter((item) => !changes.isMade(item))
  const pods = [...new Set(items.flatMap((item) => changes.podsOf(item)))]
  const before = pods.map((pod) => state.needOf[pod] ?? -1)
  for (const item of items) changes.announce(item)
  const resized = new Map(pods.map((pod, index) => [pod, { before: before[index] ?? -1, after: changes.needOf(pod) }]))
  return { items, resized }
}

type Move = { readonly pod: number; readonly from: number; readonly to: number }

/**
 * Replaces one pod after the other, on any node except the cordoned one. A pod of the cordoned node that fits nowhere
 * waits for the drain. Any other pod that fits nowhere is pending, and returns to its node only in the simulation.
 */
function rollOut({ state, placing }: Simulation, node: number | undefined, { resized }: Rollout) {
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
    const target = to < 0 ? from : to
    put(state, pod, target)
    moved.push({ pod, from, to: target })
    if (isPending) break
  }
  if (isCordoned) uncordon(state, node)
  return { moved, isPending }
}

function undoRollout({ state, changes }: Simulation, { items, resized }: Rollout, moved: readonly Move[]): void {
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
