import type { ContainerShape, NodeVersion, PodShape } from '@plimsoll/contract'
import { MICROCORES_PER_MILLICORE, type Amounts } from '@plimsoll/engine'
import { gpuParts, podRequest, type PodRequest, type PodShape as EngineShape } from '@plimsoll/engine/allocation'

type GpuFacts = Pick<NodeVersion, 'gpuProduct' | 'gpuReplicas'>

/** The requests of a pod of that shape. */
export function requestOf(shape: PodShape, gpu: GpuFacts | undefined): { request: PodRequest; names: string[] } {
  return { request: podRequest(engineShape(shape, gpu)), names: shape.containers.map(({ name }) => name) }
}

/** The shape from the agent, in the units of the engine. The share of a GPU depends on the node. */
export function engineShape(shape: PodShape, gpu: GpuFacts | undefined): EngineShape {
  const of = (container: ContainerShape) => ({
    name: container.name,
    request: amounts(container.cpu_request, container.memory_request, gpuOf(container, gpu)),
    ...allocatedOf(container, gpu),
  })
  return {
    containers: shape.containers.filter(({ kind }) => kind === 'app').map(of),
    initContainers: shape.containers
      .filter(({ kind }) => kind !== 'app')
      .map((container) => ({ ...of(container), sidecar: container.kind === 'sidecar' })),
    runtimeOverhead: amounts(shape.overhead_cpu, shape.overhead_memory, 0),
    podRequest: {
      ...(shape.pod_cpu_request === undefined ? {} : { cpu: shape.pod_cpu_request * MICROCORES_PER_MILLICORE }),
      ...(shape.pod_memory_request === undefined ? {} : { memory: shape.pod_memory_request }),
    },
    resizeInfeasible: shape.resize_infeasible ?? false,
  }
}

function allocatedOf(container: ContainerShape, gpu: GpuFacts | undefined): { allocated?: Amounts } {
  const { cpu_allocated: cpu, memory_allocated: memory } = container
  if (cpu === undefined && memory === undefined) return {}
  return { allocated: amounts(cpu ?? container.cpu_request, memory ?? container.memory_request, gpuOf(container, gpu)) }
}

const amounts = (millicores = 0, kib = 0, gpu = 0): Amounts => ({
  cpu: millicores * MICROCORES_PER_MILLICORE,
  memory: kib,
  gpu,
})

function gpuOf({ gpu_resource: resource, gpu_count: count }: ContainerShape, gpu: GpuFacts | undefined): number {
  if (resource === undefined || count === undefined) return 0
  const replicas = gpu?.gpuReplicas ?? 0
  const product = gpu?.gpuProduct ?? ''
  return (
    gpuParts(resource, count, { ...(product === '' ? {} : { product }), ...(replicas > 0 ? { replicas } : {}) }) ?? 0
  )
}
