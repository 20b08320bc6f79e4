import type { NodeVersion } from '@plimsoll/contract'

/** Sized as reported; the instance type is the class. */
export const aNodeClass = (node: NodeVersion) => ({
  key: node.instanceType,
  capacity: { cpu: node.cpuCapacityMillicores * 1000, memory: node.memoryCapacityKib, gpu: 0 },
  allocatable: { cpu: node.cpuAllocatableMillicores * 1000, memory: node.memoryAllocatableKib, gpu: 0 },
})
