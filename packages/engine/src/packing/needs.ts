import { podRequest, type PodShape } from '../allocation/pod-request.ts'
import { compare } from '../apportion.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE, type Amounts } from '../units.ts'
import type { PackingCluster, PackingNode, PackingPod, Capacity } from './cluster.ts'

/** Positions in every column of amounts: extended resources and the count of pods follow. */
export const CPU = 0
export const MEMORY = 1
export const EPHEMERAL = 2

/** The requests of a pod, by resource. The score of the scheduler differs: no request counts as a small request. */
export type Need = {
  readonly amounts: Float64Array
  readonly scoreCpu: number
  readonly scoreMemory: number
  /** In shares of the CPU and memory of the cluster: large pods fit on the fewest nodes. */
  readonly size: number
  /** Nothing but CPU, memory and one pod. */
  readonly isUsual: boolean
}

const SCORED_CPU = MICROCORES_PER_CORE / 10
const SCORED_MEMORY = (KIB_PER_GIB * 200) / 1024

export function listResources({ nodes, pods }: PackingCluster): string[] {
  const extended = new Set<string>()
  for (const { allocatable } of nodes) for (const name in allocatable.extended) extended.add(name)
  for (const pod of pods) for (const name in pod.extended) extended.add(name)
  return ['cpu', 'memory', 'ephemeral-storage', ...[...extended].sort(compare), 'pods']
}

export function capacityOf(capacity: Capacity, resources: readonly string[]): Float64Array {
  const { cpu, memory, ephemeral = Infinity, pods, extended = {} } = capacity
  return Float64Array.from(resources, (name, index) => {
    if (index === CPU) return cpu
    if (index === MEMORY) return memory
    if (index === EPHEMERAL) return ephemeral
    return index === resources.length - 1 ? pods : (extended[name] ?? 0)
  })
}

/** CPU and memory of all nodes; at least 1, because it is a divisor. */
export type Total = { readonly cpu: number; readonly memory: number }

/** Equal needs share one object: a large cluster has many pods and few sizes. */
export class Needs {
  readonly all: Need[] = []
  readonly #resources: readonly string[]
  readonly #total: Total
  readonly #ids = new Map<string, number>()
  readonly #ofShape = new WeakMap<PodShape, { requested: Amounts; scored: Amounts }>()

  constructor(resources: readonly string[], total: Total) {
    this.#resources = resources
    this.#total = total
  }

  idOf(pod: PackingPod, shape: PodShape = pod.shape): number {
    const { requested, scored } = this.#amountsOf(shape)
    const key = `${requested.cpu} ${requested.memory} ${scored.cpu} ${scored.memory} ${beyond(pod)}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const { ephemeral = 0, extended } = pod
    const capacity = {
      cpu: requested.cpu,
      memory: requested.memory,
      ephemeral,
      pods: 1,
      ...(extended ? { extended } : {}),
    }
    const amounts = capacityOf(capacity, this.#resources)
    const need = {
      amounts,
      scoreCpu: scored.cpu,
      scoreMemory: scored.memory,
      size: scored.cpu / this.#total.cpu + scored.memory / this.#total.memory,
      isUsual: amounts.every((amount, index) => index <= MEMORY || index === amounts.length - 1 || amount === 0),
    }
    this.#ids.set(key, this.all.length)
    return this.all.push(need) - 1
  }

  #amountsOf(shape: PodShape) {
    const known = this.#ofShape.get(shape)
    if (known) return known
    const amounts = { requested: sumOf(shape), scored: sumOf(withDefaults(shape)) }
    this.#ofShape.set(shape, amounts)
    return amounts
  }
}

function beyond({ ephemeral = 0, extended }: PackingPod): string {
  if (!extended) return String(ephemeral)
  return `${ephemeral} ${JSON.stringify(Object.entries(extended).sort(([a], [b]) => compare(a, b)))}`
}

function sumOf(shape: PodShape): Amounts {
  const { containers, pod } = podRequest(shape)
  const sum = { ...pod }
  for (const { request } of containers) {
    sum.cpu += request.cpu
    sum.memory += request.memory
  }
  return sum
}

function withDefaults(shape: PodShape): PodShape {
  const filled = <Container extends { readonly request: Amounts }>(container: Container): Container => {
    const { cpu, memory, gpu } = container.request
    return { ...container, request: { cpu: cpu || SCORED_CPU, memory: memory || SCORED_MEMORY, gpu } }
  }
  return {
    ...shape,
    containers: shape.containers.map(filled),
    ...(shape.initContainers ? { initContainers: shape.initContainers.map(filled) } : {}),
  }
}

/** The first resource that is too scarce. A pod that does not request a resource is never rejected for it. */
export function findShort(free: Float64Array, from: number, { amounts }: Need): number | undefined {
  for (let index = 0; index < amounts.length; index += 1) {
    const amount = amounts[index] ?? 0
    if (amount > 0 && amount > (free[from + index] ?? 0)) return index
  }
  return undefined
}

export function usdOf({ usdPerHour }: Pick<PackingNode, 'usdPerHour'>): bigint {
  return usdPerHour === 'unpriced' ? 0n : usdPerHour
}
