import { MICROCORES_PER_MILLICORE, PARTS_PER_WHOLE } from '@plimsoll/engine'
import { hex, suffixOf, uidOf } from './names.ts'
import { addDaemonPods, deletePod, retryPending } from './controllers.ts'
import { endPod } from './pods.ts'
import type { Pool, SimNode, State } from './state.ts'
import { KIB_PER_MIB } from './versions.ts'

export function addNode(state: State, pool: Pool, createdAt: number): SimNode {
  const id = (state.lastId += 1)
  const { allocatable, podsMax, zones, gpu } = pool.spec
  const node: SimNode = {
    kind: 'node',
    id,
    uid: uidOf(state.scenario.seed, id),
    name: nameOf(state, pool, id),
    gone: false,
    pool,
    zone: zones[id % zones.length] ?? '',
    createdAt,
    index: pool.nodes.length,
    freeCpu: allocatable.cpuMillicores * MICROCORES_PER_MILLICORE,
    freeMemory: allocatable.memoryMib * KIB_PER_MIB,
    freeGpu: (gpu?.count ?? 0) * PARTS_PER_WHOLE,
    freePods: podsMax,
    pods: new Set(),
    finished: new Set(),
    left: [],
    leaving: false,
    emptySince: createdAt,
  }
  pool.nodes.push(node)
  state.nodes.set(id, node)
  state.changed.add(node)
  return node
}

/** A new node arrives after a delay. */
export function orderNode(state: State, pool: Pool): void {
  pool.coming += 1
  state.agenda.add(state.second + state.random.between(45, 110), () => {
    pool.coming -= 1
    addDaemonPods(state, addNode(state, pool, state.second))
    state.agenda.add(state.second + 1, () => retryPending(state))
  })
}

/** Cordons the node. Its pods move within half of the time, and then it is removed. */
export function drainNode(state: State, node: SimNode, seconds: number): void {
  if (node.gone || node.leaving) return
  node.leaving = true
  for (const pod of node.pods) {
    if (pod.onlyNode) continue
    state.agenda.add(state.second + state.random.between(1, Math.ceil(seconds / 2)), () => deletePod(state, pod))
  }
  state.agenda.add(state.second + seconds, () => endNode(state, node))
}

function endNode(state: State, node: SimNode): void {
  if (node.gone) return
  // Remaining pods, such as DaemonSet pods, end with the node; their controllers react later.
  for (const pod of node.pods) {
    if (pod.onlyNode) endPod(state, pod)
    else deletePod(state, pod)
  }
  for (const pod of node.finished) endPod(state, pod)
  for (const pod of state.pending) if (pod.onlyNode === node) endPod(state, pod)
  node.gone = true
  const { nodes, cursors } = node.pool
  nodes.splice(node.index, 1)
  nodes.forEach((each, index) => (each.index = index))
  cursors.clear()
  state.nodes.delete(node.id)
  state.leftNodes.push(node)
  state.changed.add(node)
}

function nameOf({ scenario }: State, { spec }: Pool, id: number): string {
  const bits = uidOf(scenario.seed, id).slice(0, 8)
  switch (scenario.provider) {
    case 'aws':
      return `ip-10-${id % 200}-${parseInt(bits.slice(0, 2), 16)}-${parseInt(bits.slice(2, 4), 16)}-${hex(id).slice(4)}.${scenario.region}.compute.internal`
    case 'gcp':
      return `gke-${scenario.name}-${spec.name}-${bits}-${suffixOf(scenario.seed, id).slice(0, 4)}`
    case 'azure':
      return `aks-${spec.name}-${parseInt(bits, 16) % 100_000_000}-vmss${id.toString(36).padStart(6, '0')}`
    case 'on-prem':
      return `${spec.name}-${id.toString().padStart(3, '0')}`
  }
}
