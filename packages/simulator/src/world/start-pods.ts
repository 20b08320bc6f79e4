import { beginWork } from './pod-work.ts'
import { bindPod, makePod, setReady } from './pods.ts'
import { startClock } from './run-clock.ts'
import { findNode } from './scheduler.ts'
import type { SimNode, SimPod, State, Workload } from './state.ts'

/** Creates a pod as a controller does, and schedules it at once if a node has capacity. */
export function createPod(state: State, workload: Workload, where: { ordinal?: number; onlyNode?: SimNode }): SimPod {
  const pod = makePod(state, workload, where)
  if (!schedulePod(state, pod)) state.pending.add(pod)
  return pod
}

export function schedulePod(state: State, pod: SimPod): boolean {
  const node = findNode(pod)
  if (!node) return false
  bindPod(state, pod, node, state.second)
  const pullSeconds = state.random.between(1, 8)
  pod.initAt = state.second + pullSeconds
  pod.runningAt = pod.initAt + initSeconds(pod)
  state.agenda.add(pod.runningAt, () => runPod(state, pod))
  return true
}

/** The init containers are done, and the app containers run. */
export function runPod(state: State, pod: SimPod): void {
  if (pod.gone) return
  pod.phase = 'running'
  startClock(pod.clock, state.second)
  startClock(pod.mainClock, state.second)
  setReady(state, pod, true)
  state.changed.add(pod)
  beginWork(state, pod)
}

function initSeconds({ workload }: SimPod): number {
  return workload.containers.reduce((sum, { kind, seconds }) => sum + (kind === 'init' ? (seconds ?? 5) : 0), 0)
}
