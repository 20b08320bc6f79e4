import type { PodShape } from '../allocation/pod-request.ts'
import { inQueue } from './placing.ts'
import { findNode } from './find-node.ts'
import type { Need } from './needs.ts'
import { resized, type PodChange, type Proposal } from './proposals.ts'
import { known, lift, needOf, put, type State } from './state.ts'
import { append } from './targets.ts'

/** One pod and one proposal, with its requests before and after; no `after`: the pod is removed. */
export type Freed = {
  readonly proposal: string
  readonly pod: number
  readonly node: number
  readonly before: Need
  readonly after: Need | undefined
}

export type Applied = {
  readonly freed: readonly Freed[]
  /** Some pod requests more than before. */
  readonly grew: boolean
  /** Pods that grew, no longer fit on their node and fit on no other node. */
  readonly unplaced: readonly { readonly pod: number; readonly from: number }[]
  readonly undo: () => void
}

/** Changes the pods as if every proposal were applied. Pods that no longer fit on their node are placed again. */
export function applyProposals(state: State, proposals: readonly Proposal[]): Applied {
  const before = state.nodeOf.slice()
  const needs = state.needOf.slice()
  const freed: Freed[] = []
  const touched = new Set<number>()
  const resizes = listResizes(proposals)
  const shapes = new Map<string, Map<PodShape, PodShape>>()

  state.model.pods.forEach(({ workload, shape }, pod) => {
    const own = resizes.get(workload)
    if (!own || state.nodeOf[pod] === -1) return
    let current = shape
    for (const { proposal, change } of own) {
      const was = needOf(state, pod)
      current = cached(shapes, `${proposal} ${change.container} ${workload}`, current, (some) => resized(some, change))
      setShape(state, pod, current)
      if (needOf(state, pod) === was) continue
      freed.push({ proposal, pod, node: state.nodeOf[pod] ?? -1, before: was, after: needOf(state, pod) })
      touched.add(pod)
    }
  })
  freed.push(...removePods(state, proposals))
  const grown = [...touched].filter((pod) => grew(state, known(state.model.needs.all[needs[pod] ?? -1]), pod))
  const unplaced = settle(state, grown)
  return { freed, grew: grown.length > 0, unplaced, undo: () => reset(state, before, needs) }
}

function listResizes(proposals: readonly Proposal[]) {
  const resizes = new Map<string, { proposal: string; change: Extract<PodChange, { kind: 'resize' }> }[]>()
  for (const { id, changes } of proposals) {
    for (const change of changes) {
      if (change.kind === 'resize') append(resizes, change.workload, { proposal: id, change })
    }
  }
  return resizes
}

/** Most pods of a workload share a shape, so they share the changed shape. */
function cached(
  shapes: Map<string, Map<PodShape, PodShape>>,
  key: string,
  shape: PodShape,
  make: (shape: PodShape) => PodShape,
): PodShape {
  const own = shapes.get(key) ?? new Map<PodShape, PodShape>()
  const made = own.get(shape) ?? make(shape)
  own.set(shape, made)
  shapes.set(key, own)
  return made
}

function setShape(state: State, pod: number, shape: PodShape): void {
  const id = state.model.needs.idOf(known(state.model.pods[pod]), shape)
  if (id === state.needOf[pod]) return
  const node = state.nodeOf[pod] ?? -1
  lift(state, pod)
  state.needOf[pod] = id
  put(state, pod, node)
}

function removePods(state: State, proposals: readonly Proposal[]): Freed[] {
  const byPod = new Map<string, string>()
  for (const { id, changes } of proposals) {
    for (const change of changes) {
      if (change.kind !== 'remove') continue
      // Two proposals to remove one pod free it once.
      for (const uid of change.pods) if (!byPod.has(uid)) byPod.set(uid, id)
    }
  }
  if (byPod.size === 0) return []
  return state.model.pods.flatMap(({ uid }, pod) => {
    const proposal = byPod.get(uid)
    const node = state.nodeOf[pod] ?? -1
    if (proposal === undefined || node < 0) return []
    lift(state, pod)
    return [{ proposal, pod, node, before: needOf(state, pod), after: undefined }]
  })
}

/** Removes pods that grew from nodes that are now too small, lowest priority first, and places them again. */
export function settle(state: State, grown: readonly number[]): Applied['unplaced'] {
  const evicted: { pod: number; from: number }[] = []
  for (const pod of inQueue(state, grown).toReversed()) {
    const from = state.nodeOf[pod] ?? -1
    if (from < 0 || state.model.leavesWithNode[pod] === 1 || !isOverfull(state, from, needOf(state, pod))) continue
    lift(state, pod)
    evicted.push({ pod, from })
  }
  const homeOf = new Map(evicted.map(({ pod, from }) => [pod, from]))
  const unplaced: { pod: number; from: number }[] = []
  for (const pod of inQueue(state, [...homeOf.keys()])) {
    const to = findNode(state, pod)
    if (to >= 0) put(state, pod, to)
    else unplaced.push({ pod, from: homeOf.get(pod) ?? -1 })
  }
  return unplaced
}

function grew(state: State, was: Need, pod: number): boolean {
  return needOf(state, pod).amounts.some((amount, resource) => amount > (was.amounts[resource] ?? 0))
}

/** The requests for a resource that the pod requests exceed the capacity of the node. */
function isOverfull({ free, model }: State, node: number, { amounts }: Need): boolean {
  const from = node * model.resources.length
  return amounts.some((amount, resource) => amount > 0 && (free[from + resource] ?? 0) < 0)
}

function reset(state: State, nodeOf: Int32Array, needs: Int32Array): void {
  const moved = nodeOf.reduce<number[]>((pods, node, pod) => {
    if (node !== state.nodeOf[pod] || needs[pod] !== state.needOf[pod]) pods.push(pod)
    return pods
  }, [])
  for (const pod of moved) if ((state.nodeOf[pod] ?? -1) >= 0) lift(state, pod)
  for (const pod of moved) {
    state.needOf[pod] = needs[pod] ?? -1
    const node = nodeOf[pod] ?? -1
    if (node >= 0) put(state, pod, node)
  }
}
