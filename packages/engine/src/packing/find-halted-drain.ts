import type { Blocker } from './blocker.ts'
import type { DisruptionBudget, PackingPool } from './cluster.ts'
import { nameOf } from './find-eviction-blocker.ts'
import { findNode } from './find-node.ts'
import { cordon, kindOf, known, lift, put, uncordon, type State } from './state.ts'
import { append } from './targets.ts'

/**
 * A budget allows the next eviction once the last replacement runs. Until the node is empty, it remains a topology
 * domain with fewer and fewer pods, which may block the replacement on every other node. The drain then halts. The same
 * holds for a replacement with affinity to pods that are still on the node.
 */
export function findHaltedDrain(state: State, { kind }: PackingPool, node: number): Blocker | undefined {
  // The cluster-autoscaler starts only if all pods may go at once.
  if (kind === 'cluster-autoscaler') return undefined
  for (const [disruptionBudget, pods] of watchedOn(state, node)) {
    const { name, disruptionsAllowed } = disruptionBudget
    if (pods.length <= disruptionsAllowed || !pods.some((pod) => dependsOnNode(state, pod))) continue
    const halted = tryOneByOne(state, node, pods)
    if (halted === undefined) continue
    const pod = nameOf(known(state.model.pods[halted]))
    return { code: 'disruption-budget', pod, disruptionBudget: name, disruptionsAllowed, pods: pods.length }
  }
  return undefined
}

function watchedOn({ model, podsOn }: State, node: number): Map<DisruptionBudget, number[]> {
  const watched = new Map<DisruptionBudget, number[]>()
  for (const pod of known(podsOn[node])) {
    if (model.leavesWithNode[pod] === 1 || model.pods[pod]?.isAbsent) continue
    for (const disruptionBudget of model.disruptionBudgetsOf[pod] ?? []) append(watched, disruptionBudget, pod)
  }
  return watched
}

function dependsOnNode({ model }: State, pod: number): boolean {
  const { narrow, broad } = kindOf(model, pod)
  return [...narrow, ...broad].some(({ filter }) => filter === 'topology-spread' || filter === 'pod-affinity')
}

/** The first pod whose replacement fits on no node while the cordoned node exists. The state is restored afterwards. */
function tryOneByOne(state: State, node: number, pods: readonly number[]): number | undefined {
  const moved: number[] = []
  cordon(state, node)
  const halted = pods
    .toSorted((a, b) => a - b)
    .find((pod) => {
      lift(state, pod)
      const to = findNode(state, pod)
      put(state, pod, to < 0 ? node : to)
      if (to >= 0) moved.push(pod)
      return to < 0
    })
  for (const pod of moved) {
    lift(state, pod)
    put(state, pod, node)
  }
  uncordon(state, node)
  return halted
}
