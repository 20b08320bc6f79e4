import { findBlocker, type Lift } from '../packing/drain-nodes.ts'
import { CPU, MEMORY } from '../packing/needs.ts'
import type { Placing } from '../packing/placing.ts'
import {
  findBroadObstacle,
  findNarrowObstacle,
  kindOf,
  known,
  lift,
  needOf,
  put,
  restore,
  retire,
  type State,
} from '../packing/state.ts'
import { findFailing, liveOf } from './can-go.ts'
import { pointsOf } from './effort.ts'
import type { Work } from './work.ts'

export type Question = {
  readonly node: number
  /** Nodes that could accept its pods. */
  readonly targets: readonly number[]
  readonly lift?: Lift
}

/** Number of nodes that are compared for one pod. */
const TARGETS_MAX = 4

/**
 * Changes that probably make a node removable, found by draining it. If a pod does not fit, the changes with the
 * lowest effort free capacity for it on one of the target nodes. Repeated for each failing placement order. Undefined
 * if that does not help. Restores the simulation afterwards. `failed`: a placement that is known to fail.
 */
export function sufficientChanges(
  work: Work,
  { node, targets, lift: lifted = 'nothing' }: Question,
  failed?: Placing,
): number[] | undefined {
  const { changes } = work
  const added: number[] = []
  const add = (item: number) => {
    changes.make(item)
    added.push(item)
  }
  const suffices = () => {
    if (!lowerThreshold(work, node, lifted, add)) return false
    for (let failing = failed ?? findFailing(work, node); failing; failing = findFailing(work, node)) {
      const before = added.length
      if (!makeRoom(work, { node, targets }, failing, add) || added.length === before) return false
    }
    return true
  }
  const isFound = suffices()
  for (const item of added.toReversed()) changes.unmake(item)
  return isFound ? added : undefined
}

/**
 * Drains the node in one order, adding changes if a pod does not fit. Restores the node afterwards, except for these
 * changes.
 */
function makeRoom(
  work: Work,
  { node, targets }: Pick<Question, 'node' | 'targets'>,
  placing: Placing,
  add: (item: number) => void,
): boolean {
  const { state, changes } = work
  const pods = [...known(state.podsOn[node])]
  const moving = placing.inOrder(
    state,
    pods.filter((pod) => state.model.leavesWithNode[pod] === 0),
  )
  retire(state, node)
  for (const pod of pods) lift(state, pod)
  const moved: number[] = []
  const isEmptied = moving.every((pod) => {
    work.budget -= 1
    const to = findRoom(work, pod, { targets, placing }, add)
    if (to < 0) return changes.isRemoved(pod)
    put(state, pod, to)
    moved.push(pod)
    return true
  })
  for (const pod of moved.toReversed()) if (!changes.isRemoved(pod)) lift(state, pod)
  for (const pod of pods) {
    if (changes.isRemoved(pod)) changes.noteRemoved(pod, node)
    else put(state, pod, node)
  }
  restore(state, node)
  return isEmptied
}

/** The cluster-autoscaler considers only nodes with low requests. False: something else blocks the drain. */
function lowerThreshold(work: Work, node: number, lifted: Lift, add: (item: number) => void): boolean {
  const { state } = work
  for (;;) {
    const blocker = findBlocker(state, node, liveOf(work, node), lifted)
    if (!blocker) return true
    if (blocker.code !== 'above-threshold') return false
    const item = findLargest(work, listReliefs(work, known(state.podsOn[node])), () => true)
    if (item === undefined) return false
    add(item)
  }
}

type Where = { readonly targets: readonly number[]; readonly placing: Placing }

function findRoom(work: Work, pod: number, { targets, placing }: Where, add: (item: number) => void): number {
  const { state, changes } = work
  for (;;) {
    if (changes.isRemoved(pod)) return -1
    const to = placing.choose(state, pod)
    if (to >= 0) return to
    const room = cheapestRoom(work, pod, targets)
    if (!room || room.length === 0) return -1
    room.forEach(add)
  }
}

/** Among nodes that admit the pod but lack capacity, the changes for the node with the lowest effort. */
function cheapestRoom(work: Work, pod: number, targets: readonly number[]): number[] | undefined {
  let best: { items: number[]; points: number } | undefined
  const open = targets.filter((target) => admits(work.state, pod, target)).slice(0, TARGETS_MAX)
  for (const target of open) {
    const items = roomOn(work, pod, target)
    if (!items) continue
    const points = items.reduce((sum, item) => sum + pointsOf(known(work.changes.items[item])), 0)
    if (!best || points < best.points) best = { items, points }
  }
  return best?.items
}

function admits(state: State, pod: number, node: number): boolean {
  if (state.closed[node] === 1) return false
  const kind = kindOf(state.model, pod)
  if (kind.chosen ? !kind.chosen.includes(node) : !kind.admitted.includes(state.classes.of[node] ?? -1)) return false
  return findBroadObstacle(state, kind, node) === undefined && findNarrowObstacle(state, pod, node) === undefined
}

/** Changes to the pod and to pods of the target, the most freed capacity per effort first, until the pod fits. */
function roomOn(work: Work, pod: number, target: number): number[] | undefined {
  const { state, changes } = work
  const width = state.model.resources.length
  const lacks = (each: number) => {
    const amount = needOf(state, pod).amounts[each] ?? 0
    return amount > 0 && amount > (state.free[target * width + each] ?? 0)
  }
  const lacksAny = () => state.model.resources.some((_name, each) => lacks(each))
  const reliefs = listReliefs(work, [pod, ...known(state.podsOn[target])])
  const items: number[] = []
  while (lacksAny() && !changes.isRemoved(pod)) {
    const item = findLargest(work, reliefs, lacks)
    if (item === undefined) break
    changes.make(item)
    items.push(item)
  }
  const fits = changes.isRemoved(pod) || !lacksAny()
  for (const item of items.toReversed()) changes.unmake(item)
  return fits ? items : undefined
}

/** By pending change, the amounts that it frees on these pods. */
function listReliefs({ state, changes }: Work, pods: readonly number[]): Map<number, Float64Array> {
  const width = state.model.resources.length
  const reliefs = new Map<number, Float64Array>()
  for (const pod of pods) {
    const { amounts } = needOf(state, pod)
    changes.visitPending(pod, (item, after) => {
      if (changes.items[item]?.role !== 'resize') return
      const relief = reliefs.get(item) ?? new Float64Array(width)
      reliefs.set(item, relief)
      for (let each = 0; each < width; each += 1) {
        relief[each] = (relief[each] ?? 0) + (amounts[each] ?? 0) - (after?.amounts[each] ?? 0)
      }
    })
  }
  return reliefs
}

/** The pending change that frees the most of the given resources per effort. */
function findLargest(
  { state, changes }: Work,
  reliefs: ReadonlyMap<number, Float64Array>,
  counts: (resource: number) => boolean,
): number | undefined {
  const weights = weightsOf(state, counts)
  let best: { item: number; value: number } | undefined
  for (const [item, relief] of reliefs) {
    if (changes.isMade(item)) continue
    const freed = relief.reduce((sum, amount, each) => sum + amount * (weights[each] ?? 0), 0)
    const value = freed / pointsOf(known(changes.items[item]))
    if (freed <= 0 || (best && value < best.value) || (value === best?.value && item > best.item)) continue
    best = { item, value }
  }
  return best?.item
}

/** As shares of the whole cluster, so that CPU and memory can be added. */
const weightsOf = ({ model }: State, counts: (resource: number) => boolean): number[] =>
  model.resources.map((_name, each) => {
    if (!counts(each)) return 0
    return 1 / (each === CPU ? model.total.cpu : each === MEMORY ? model.total.memory : 1)
  })
