import type { NodeVersion } from '@plimsoll/contract'

/** Sized as it reports; its type is its class. */
export const aNodeClass = (node: NodeVersion) => ({
  key: node.instanceType,
  capacity: { cpu: node.cpuCapacityMillicores * 1000, memory: node.memoryCapacityKib, gpu: 0 },
  allocatable: { cpu: node.cpuAllocatableMillicores * 1000, memory: node.memoryAllocatableKib, gpu: 0 },
})
