import { deletePod, reconcile, retryPending, startRun } from './controllers.ts'
import { drainNode, orderNode } from './nodes.ts'
import type { Pool, SimPod, State, Workload } from './state.ts'
import { loadAt } from './usage.ts'

const NOTICE_SECONDS = 120
const EMPTY_SECONDS = 600
const STABLE_MINUTES = 5

/** Plans the events of the new minute, besides the scheduled ones. */
export function planMinute(state: State): void {
  const minute = state.second / 60
  const later = (seconds: number, act: () => void) => state.agenda.add(state.second + seconds, act)
  if (state.pending.size > 0) later(7, () => retryPending(state))
  planChurn(state)
  for (const pool of state.pools) {
    planInterruptions(state, pool)
    if (pool.spec.autoscaling) later(20, () => autoscalePool(state, pool))
  }
  for (const workload of state.workloads) {
    const { autoscaler, runs } = workload.spec
    if (autoscaler) later(15, () => autoscale(state, workload, minute))
    if (runs?.everyMinutes !== undefined && isDue(workload, minute, runs.everyMinutes)) {
      later(workload.seed % 3, () => startRun(state, workload))
    }
  }
}

/** Spreads CronJobs over different minutes, except for those that run every minute. */
function isDue({ seed }: Workload, minute: number, everyMinutes: number): boolean {
  return (minute + seed) % everyMinutes === 0
}

function planChurn(state: State): void {
  const { random, scenario } = state
  const count = random.around(((scenario.churnPerHour ?? 0) * state.pods.size) / 60)
  if (count === 0) return
  const nodes = [...state.nodes.values()].filter(({ pods }) => pods.size > 0)
  for (let index = 0; index < count; index += 1) {
    const pod = random.pick([...(random.pick(nodes)?.pods ?? [])])
    if (pod && isReplaced(pod)) state.agenda.add(state.second + random.between(0, 59), () => deletePod(state, pod))
  }
}

function isReplaced({ workload: { spec } }: SimPod): boolean {
  return spec.kind === 'Deployment' || spec.kind === 'StatefulSet'
}

function planInterruptions(state: State, pool: Pool): void {
  const { interruptionsPerNodeDay = 0 } = pool.spec
  if (interruptionsPerNodeDay === 0) return
  const count = state.random.around((interruptionsPerNodeDay * pool.nodes.length) / 1440)
  for (let index = 0; index < count; index += 1) {
    const node = state.random.pick(pool.nodes)
    if (!node || node.leaving) continue
    state.agenda.add(state.second + state.random.between(0, 59), () => {
      if (node.leaving) return
      orderNode(state, pool)
      drainNode(state, node, NOTICE_SECONDS)
    })
  }
}

/** Adds nodes for pending pods; removes empty nodes. */
function autoscalePool(state: State, pool: Pool): void {
  const { min, max } = pool.spec.autoscaling ?? { min: 0, max: 0 }
  const waiting = [...state.pending].filter((pod) => !pod.onlyNode && pod.workload.pools.includes(pool)).length
  const there = pool.nodes.filter(({ leaving }) => !leaving).length
  const podsPerNode = Math.max(1, Math.floor(state.pods.size / Math.max(1, state.nodes.size)))
  const missing = Math.min(Math.ceil(waiting / podsPerNode), max - there) - pool.coming
  for (let count = 0; count < missing; count += 1) orderNode(state, pool)

  let removable = waiting === 0 ? there - min : 0
  for (const node of [...pool.nodes].reverse()) {
    const isEmpty = [...node.pods].every(({ onlyNode }) => onlyNode)
    if (!isEmpty) node.emptySince = state.second
    if (!isEmpty || node.leaving || removable <= 0 || state.second - node.emptySince < EMPTY_SECONDS) continue
    removable -= 1
    drainNode(state, node, 10)
  }
}

/** Scales up at once, and down only after a lower demand for some minutes. */
function autoscale(state: State, workload: Workload, minute: number): void {
  workload.wanted.push(wantedReplicas(workload, minute))
  if (workload.wanted.length > STABLE_MINUTES) workload.wanted.shift()
  workload.desired = Math.max(...workload.wanted)
  reconcile(state, workload)
}

/** As the HPA computes it: CPU usage divided by the target usage of one replica. */
export function wantedReplicas({ spec, seed }: Workload, minute: number): number {
  const { autoscaler, containers, archetype, replicas = 1 } = spec
  if (!autoscaler) return replicas
  const apps = containers.filter(({ kind }) => kind !== 'init')
  const uses = apps.reduce((sum, each) => sum + each.uses.cpuMillicores, 0)
  const request = apps.reduce((sum, each) => sum + (each.request?.cpuMillicores ?? 0), 0)
  const used = uses * replicas * loadAt(archetype, seed, minute)
  const wanted = request === 0 ? replicas : Math.ceil(used / ((request * autoscaler.targetPercent) / 100))
  return Math.min(autoscaler.replicasMax, Math.max(autoscaler.replicasMin, wanted))
}
