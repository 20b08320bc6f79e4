import type { ContainerShape, PodShape } from '@plimsoll/contract'
import { MICROCORES_PER_MILLICORE, type Amounts } from '@plimsoll/engine'
import {
  gpuParts,
  type ContainerShape as EngineContainerShape,
  type GpuNode,
  type PodShape as EnginePodShape,
} from '@plimsoll/engine/allocation'

/** The shape of a pod for the engine. The GPU share of a resource name depends on the node. */
export function engineShape(shape: PodShape, node: GpuNode): EnginePodShape {
  const of = (container: ContainerShape) => engineContainer(container, node)
  const { overhead_cpu: cpu = 0, overhead_memory: memory = 0 } = shape
  const { pod_cpu_request: podCpu, pod_memory_request: podMemory } = shape
  return {
    containers: shape.containers.filter(({ kind }) => kind === 'app').map(of),
    initContainers: shape.containers
      .filter(({ kind }) => kind !== 'app')
      .map((container) => ({ ...of(container), sidecar: container.kind === 'sidecar' })),
    runtimeOverhead: { cpu: cpu * MICROCORES_PER_MILLICORE, memory, gpu: 0 },
    podRequest: {
      ...(podCpu === undefined ? {} : { cpu: podCpu * MICROCORES_PER_MILLICORE }),
      ...(podMemory === undefined ? {} : { memory: podMemory }),
    },
    resizeInfeasible: shape.resize_infeasible ?? false,
  }
}

function engineContainer(container: ContainerShape, node: GpuNode): EngineContainerShape {
  const { name, cpu_request: cpu = 0, memory_request: memory = 0 } = container
  const { cpu_allocated: cpuAllocated = cpu, memory_allocated: memoryAllocated = memory } = container
  const gpu = gpuParts(container.gpu_resource ?? '', container.gpu_count ?? 0, node) ?? 0
  const amounts = (millicores: number, kib: number): Amounts => ({
    cpu: millicores * MICROCORES_PER_MILLICORE,
    memory: kib,
    gpu,
  })
  const isResizing = container.cpu_allocated !== undefined || container.memory_allocated !== undefined
  return {
    name,
    request: amounts(cpu, memory),
    ...(isResizing ? { allocated: amounts(cpuAllocated, memoryAllocated) } : {}),
  }
}
