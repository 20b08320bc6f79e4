import { RESOURCES, NO_AMOUNTS, type Amounts, type Resource } from '../units.ts'

export type ContainerShape = {
  readonly name: string
  readonly request: Amounts
  /** The allocation of the kubelet during an in-place resize. */
  readonly allocated?: Amounts
}

export type InitContainerShape = ContainerShape & {
  /** A native sidecar (`restartPolicy: Always`): starts in order and keeps running. */
  readonly sidecar: boolean
}

export type PodShape = {
  readonly containers: readonly ContainerShape[]
  /** In start order. */
  readonly initContainers?: readonly InitContainerShape[]
  readonly runtimeOverhead?: Amounts
  /** Pod-level resources, which replace the sum over the containers. */
  readonly podRequest?: Partial<Amounts>
  /** The node cannot grant the resize in the spec, so only the allocated amount is reserved. */
  readonly resizeInfeasible?: boolean
}

export type PodRequest = {
  /** Containers that run for the life of the pod, including sidecars. */
  readonly containers: readonly { readonly name: string; readonly request: Amounts }[]
  /** The reservation of the pod beyond its containers, shown as the row `(pod)`. */
  readonly pod: Amounts
}

/**
 * The reservation of the scheduler for a pod. The largest init container counts for the whole life of the pod, because
 * the node holds its reservation after it ends.
 */
export function podRequest(shape: PodShape): PodRequest {
  const inits = shape.initContainers ?? []
  const staying = [...shape.containers, ...inits.filter(({ sidecar }) => sidecar)]
  const containers = staying.map((container) => ({ name: container.name, request: reserved(container, shape) }))
  const beyond = (resource: Resource) => {
    const sum = containers.reduce((total, { request }) => total + request[resource], 0)
    const whole = shape.podRequest?.[resource] ?? Math.max(sum, startPeak(inits, shape, resource))
    return Math.max(0, whole - sum) + (shape.runtimeOverhead ?? NO_AMOUNTS)[resource]
  }
  return { containers, pod: eachResource(beyond) }
}

function reserved({ request, allocated }: ContainerShape, { resizeInfeasible }: PodShape): Amounts {
  if (allocated === undefined) return request
  if (resizeInfeasible) return allocated
  return eachResource((resource) => Math.max(request[resource], allocated[resource]))
}

/** While an init container runs, the sidecars that started before it run beside it. */
function startPeak(inits: readonly InitContainerShape[], shape: PodShape, resource: Resource): number {
  let sidecars = 0
  let peak = 0
  for (const init of inits) {
    const request = reserved(init, shape)[resource]
    peak = Math.max(peak, sidecars + request)
    if (init.sidecar) sidecars += request
  }
  return peak
}

export function eachResource(value: (resource: Resource) => number): Amounts {
  return { cpu: value('cpu'), memory: value('memory'), gpu: value('gpu') }
}

export function isNothing(amounts: Amounts): boolean {
  return RESOURCES.every((resource) => amounts[resource] === 0)
}
