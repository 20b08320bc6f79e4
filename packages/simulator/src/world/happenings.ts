import type { ContainerShape, PodShape } from '@plimsoll/contract'
import { keyOf } from '../scenario/parse-scenario.ts'
import type { Happening } from '../scenario/scenario.ts'
import { reconcile } from './controllers.ts'
import { drainNode, orderNode } from './nodes.ts'
import { rollOut } from './rollouts.ts'
import { reserveCapacity } from './scheduler.ts'
import type { SimPod, State, Workload } from './state.ts'
import { makeTemplate, sizeOn } from './templates.ts'
import { KIB_PER_MIB } from './versions.ts'

const NOTICE_SECONDS = 120
const DRAIN_SECONDS = 90

type Resize = Extract<Happening, { kind: 'resize' }>

/** Rejects past events, because the past of a world was already sent. */
export function planHappenings(state: State, happenings: readonly Happening[]): void {
  for (const happening of happenings) {
    const second = state.startSecond + happening.atSecond
    if (second < state.second) throw new Error(`the ${happening.kind} is in the past`)
    state.agenda.add(second, () => happen(state, happening))
  }
}

function happen(state: State, happening: Happening): void {
  switch (happening.kind) {
    case 'rollout':
      return rollOut(state, workloadOf(state, happening))
    case 'resize':
      return resize(state, workloadOf(state, happening), happening)
    case 'scale': {
      const workload = workloadOf(state, happening)
      workload.desired = happening.replicas
      return reconcile(state, workload)
    }
    case 'replace-node':
      return loseNode(state, happening.pool, DRAIN_SECONDS)
    case 'interrupt-node':
      return loseNode(state, happening.pool, NOTICE_SECONDS)
    case 'remove-node':
      return removeNode(state, happening)
  }
}

/** Removes the oldest node of a pool and adds another one. */
export function loseNode(state: State, poolName: string, seconds: number): void {
  const pool = state.pools.find(({ spec }) => spec.name === poolName)
  const node = pool?.nodes.find(({ leaving }) => !leaving)
  if (!pool || !node) return
  orderNode(state, pool)
  drainNode(state, node, seconds)
}

type Removal = Extract<Happening, { kind: 'remove-node' }>

/** Simulates a consolidation: removes the named node, or the one with the most free capacity, and moves its pods. */
function removeNode(state: State, { pool: poolName, node: name }: Removal): void {
  const pool = state.pools.find(({ spec }) => spec.name === poolName)
  const staying = (pool?.nodes ?? []).filter(({ leaving }) => !leaving)
  const [emptiest] = staying.toSorted((a, b) => b.freeCpu - a.freeCpu)
  const chosen = name === undefined ? emptiest : staying.find((node) => node.name === name)
  if (chosen) drainNode(state, chosen, DRAIN_SECONDS)
}

function workloadOf(state: State, { namespace, workload }: { namespace: string; workload: string }): Workload {
  const key = keyOf({ namespace, name: workload })
  const found = state.workloads.find(({ spec }) => keyOf(spec) === key)
  if (!found) throw new Error(`workload ${key} does not exist`)
  return found
}

/**
 * In place: the spec changes first, then the kubelet allocates it if the node has capacity. New pods start with the new
 * size.
 */
function resize(state: State, workload: Workload, to: Resize): void {
  const { shape } = workload.template
  const resized = withRequest(shape, to)
  const asking = withRequest(shape, to, { allocated: true })
  workload.template = makeTemplate(state.scenario, workload, resized)
  const templates = {
    granted: workload.template,
    asking: makeTemplate(state.scenario, workload, asking),
    refused: makeTemplate(state.scenario, workload, { ...asking, resize_infeasible: true }),
  }
  for (const pod of workload.pods) resizePod(state, pod, templates)
}

type Resized = Record<'granted' | 'asking' | 'refused', Workload['template']>

function resizePod(state: State, pod: SimPod, { granted, asking, refused }: Resized): void {
  const { node, held } = pod
  const wanted = node && sizeOn(node.pool, asking).amounts
  const fits =
    node && held && wanted && wanted.cpu - held.cpu <= node.freeCpu && wanted.memory - held.memory <= node.freeMemory
  const change = (template: Workload['template']) => {
    pod.template = template
    if (pod.node && pod.held) reserveCapacity(pod.node, pod)
    state.changed.add(pod)
  }
  if (!node) return change(granted)
  if (!fits) return change(refused)
  change(asking)
  state.agenda.add(state.second + state.random.between(5, 20), () => {
    if (!pod.gone && pod.template === asking) change(granted)
  })
}

function withRequest(shape: PodShape, to: Resize, { allocated = false } = {}): PodShape {
  const resized = (container: ContainerShape): ContainerShape => {
    if (container.name !== to.container) return container
    const { cpu_request: cpu = 0, memory_request: memory = 0 } = container
    return {
      ...container,
      cpu_request: to.cpuMillicores ?? cpu,
      memory_request: to.memoryMib === undefined ? memory : to.memoryMib * KIB_PER_MIB,
      ...(allocated ? { cpu_allocated: cpu, memory_allocated: memory } : {}),
    }
  }
  return { ...shape, containers: shape.containers.map(resized) }
}
