import { mix } from '../random.ts'
import { suffixOf, uidOf } from './names.ts'
import { stopClock, stoppedClock } from './run-clock.ts'
import { releaseCapacity, reserveCapacity } from './scheduler.ts'
import type { SimNode, SimPod, State, Workload } from './state.ts'

/** A pod that is not scheduled yet. */
export function makePod(state: State, workload: Workload, where: { ordinal?: number; onlyNode?: SimNode }): SimPod {
  const id = (state.lastId += 1)
  const { ordinal = -1, onlyNode } = where
  const pod: SimPod = {
    kind: 'pod',
    id,
    uid: uidOf(state.scenario.seed, id),
    name: nameOf(state, workload, id, ordinal),
    gone: false,
    workload,
    template: workload.template,
    ordinal,
    ...(onlyNode ? { onlyNode } : {}),
    noiseSeed: mix(workload.seed, id),
    phase: 'pending',
    boundAt: 0,
    heldUntil: Infinity,
    initAt: 0,
    runningAt: 0,
    clock: stoppedClock(),
    mainClock: stoppedClock(),
    restarts: 0,
  }
  workload.pods.add(pod)
  state.pods.set(id, pod)
  state.changed.add(pod)
  return pod
}

export function bindPod(state: State, pod: SimPod, node: SimNode, second: number): void {
  reserveCapacity(node, pod)
  node.pods.add(pod)
  pod.node = node
  pod.boundAt = second
  for (const volume of volumesOf(pod)) {
    volume.mounts.add(pod)
    if (volume.zone === '') volume.zone = node.zone
    state.changed.add(volume)
  }
  state.changed.add(pod)
}

/** The pod completed. Its resources are free, and the object stays until it is deleted. */
export function finishPod(state: State, pod: SimPod, phase: 'succeeded' | 'failed'): void {
  if (pod.gone) return
  leaveNode(state, pod)
  pod.phase = phase
  pod.node?.finished.add(pod)
  pod.workload.pods.delete(pod)
  state.changed.add(pod)
}

export function endPod(state: State, pod: SimPod): void {
  if (pod.gone) return
  leaveNode(state, pod)
  pod.gone = true
  pod.node?.finished.delete(pod)
  pod.workload.pods.delete(pod)
  state.pods.delete(pod.id)
  state.pending.delete(pod)
  state.changed.add(pod)
}

function leaveNode(state: State, pod: SimPod): void {
  const { node } = pod
  stopClock(pod.clock, state.second)
  stopClock(pod.mainClock, state.second)
  setReady(state, pod, false)
  if (!node || !pod.held) return
  releaseCapacity(node, pod)
  node.pods.delete(pod)
  node.left.push(pod)
  pod.heldUntil = state.second
  for (const volume of volumesOf(pod)) {
    volume.mounts.delete(pod)
    state.changed.add(volume)
  }
}

export function setReady(state: State, pod: SimPod, isReady: boolean): void {
  for (const balancer of pod.workload.balancers) {
    if (balancer.ready.has(pod) === isReady) continue
    if (isReady) balancer.ready.add(pod)
    else balancer.ready.delete(pod)
    state.changed.add(balancer)
  }
}

function volumesOf({ workload, ordinal }: SimPod) {
  return workload.volumes.filter((volume) => volume.ordinal === undefined || volume.ordinal === ordinal)
}

function nameOf(state: State, { spec, template }: Workload, id: number, ordinal: number): string {
  const suffix = suffixOf(state.scenario.seed, id)
  switch (spec.kind) {
    case 'Deployment':
      return `${spec.name}-${template.hash}-${suffix}`
    case 'StatefulSet':
      return `${spec.name}-${ordinal}`
    case 'CronJob':
      return `${spec.name}-${Math.floor(state.second / 60)}-${suffix}`
    case 'DaemonSet':
    case 'Job':
      return `${spec.name}-${suffix}`
  }
}
