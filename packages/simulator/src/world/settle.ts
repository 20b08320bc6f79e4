import { makePod, bindPod, setReady } from './pods.ts'
import { nextOrdinal, startRun, wantsNode } from './controllers.ts'
import { addNode } from './nodes.ts'
import { beginWork } from './pod-work.ts'
import { wantedReplicas } from './plan-minute.ts'
import { findNode } from './scheduler.ts'
import type { SimNode, SimPod, State, Workload } from './state.ts'
import { secondsToLimit } from './usage.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** Ages the initial nodes and pods, because an agent is installed in an existing cluster. */
export function settle(state: State): void {
  for (const pool of state.pools) {
    for (let count = 0; count < pool.spec.count; count += 1) {
      addNode(state, pool, state.startSecond - state.random.between(2 * HOUR, 40 * DAY))
    }
  }
  for (const workload of state.workloads) settleDaemons(state, workload)
  for (const workload of state.workloads) settleReplicas(state, workload)
  for (const workload of state.workloads) {
    const { kind, runs } = workload.spec
    if (kind === 'Job') state.agenda.add(state.startSecond + (runs?.atSecond ?? 0), () => startRun(state, workload))
  }
}

function settleDaemons(state: State, workload: Workload): void {
  if (workload.spec.kind !== 'DaemonSet') return
  for (const node of state.nodes.values()) {
    if (wantsNode(workload, node)) settlePod(state, makePod(state, workload, { onlyNode: node }))
  }
}

function settleReplicas(state: State, workload: Workload): void {
  if (workload.spec.autoscaler) workload.desired = wantedReplicas(workload, state.startSecond / 60)
  for (let count = 0; count < workload.desired; count += 1) {
    settlePod(state, makePod(state, workload, nextOrdinal(workload)))
  }
}

function settlePod(state: State, pod: SimPod): void {
  const node = findNode(pod)
  if (!node) {
    state.pending.add(pod)
    return
  }
  const boundAt = settledAt(state, node)
  bindPod(state, pod, node, boundAt)
  pod.phase = 'running'
  pod.initAt = boundAt + 2
  pod.runningAt = boundAt + state.random.between(20, 200)
  pod.clock.since = pod.runningAt
  pod.mainClock.since = mainSince(state, pod)
  setReady(state, pod, true)
  beginWork(state, pod)
}

function settledAt({ startSecond, random }: State, { createdAt }: SimNode): number {
  return Math.max(createdAt + 60, startSecond - random.between(600, 20 * DAY))
}

/** A leaking container has been OOM-killed before, so it is at a random point below its limit. */
function mainSince({ startSecond, random }: State, pod: SimPod): number {
  const seconds = secondsToLimit(pod)
  if (seconds === Infinity) return pod.runningAt
  return Math.max(pod.runningAt, startSecond - Math.floor(seconds * random.next()))
}
