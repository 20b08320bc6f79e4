import { addClaim } from './cloud-resources.ts'
import { endPod } from './pods.ts'
import { createPod, schedulePod } from './start-pods.ts'
import type { SimNode, SimPod, State, Workload } from './state.ts'

/** Deletes a pod; its controller reacts a second later. */
export function deletePod(state: State, pod: SimPod): void {
  if (pod.gone) return
  endPod(state, pod)
  state.agenda.add(state.second + 1, () => replacePod(state, pod))
}

function replacePod(state: State, { workload, onlyNode }: SimPod): void {
  if (onlyNode) addDaemonPod(state, workload, onlyNode)
  else reconcile(state, workload)
}

/** Creates or deletes pods to match the desired count. */
export function reconcile(state: State, workload: Workload): void {
  const { kind } = workload.spec
  if (kind !== 'Deployment' && kind !== 'StatefulSet') return
  while (workload.pods.size < workload.desired) {
    const where = nextOrdinal(workload)
    if (where.ordinal !== undefined) addClaim(state, workload, where.ordinal)
    createPod(state, workload, where)
  }
  while (workload.pods.size > workload.desired) endPod(state, leastWanted(workload))
}

export function nextOrdinal({ spec, pods }: Workload): { ordinal?: number } {
  if (spec.kind !== 'StatefulSet') return {}
  const taken = new Set([...pods].map(({ ordinal }) => ordinal))
  let ordinal = 0
  while (taken.has(ordinal)) ordinal += 1
  return { ordinal }
}

/** The last pod of a StatefulSet; otherwise pods of an old revision first, then pending pods, then the youngest. */
function leastWanted({ pods, template }: Workload): SimPod {
  const rank = ({ ordinal, template: own, node }: SimPod) =>
    4 * ordinal + (own.hash !== template.hash ? 2 : 0) + (node ? 0 : 1)
  return [...pods].reduce((least, pod) => (rank(pod) >= rank(least) ? pod : least))
}

/** One pod of each DaemonSet that matches the node. */
export function addDaemonPods(state: State, node: SimNode): void {
  for (const workload of state.workloads) if (wantsNode(workload, node)) addDaemonPod(state, workload, node)
}

export function wantsNode({ spec, pools }: Workload, node: SimNode): boolean {
  return spec.kind === 'DaemonSet' && pools.includes(node.pool)
}

function addDaemonPod(state: State, workload: Workload, node: SimNode): void {
  if (!node.gone && !node.leaving) createPod(state, workload, { onlyNode: node })
}

/** A new run of a Job or CronJob. */
export function startRun(state: State, workload: Workload): void {
  const { kind, replicas = 1 } = workload.spec
  if (kind === 'CronJob') workload.lastRunAt = state.second
  for (let count = 0; count < replicas; count += 1) createPod(state, workload, {})
}

/** Capacity may be free since the last try. */
export function retryPending(state: State): void {
  for (const pod of state.pending) if (schedulePod(state, pod)) state.pending.delete(pod)
}
