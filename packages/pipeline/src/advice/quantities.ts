import type { ContainerQuantities } from '@plimsoll/contract'
import { BYTES_PER_KIB, formatBytes, formatMillicores } from '@plimsoll/engine'
import type { ContainerSpec } from '@plimsoll/engine/rules'

/** Requests of a container as Kubernetes quantities. */
export function quantities(spec: ContainerSpec | null): ContainerQuantities {
  if (spec === null) return {}
  const { cpuMillicores, memoryKib } = spec
  return {
    ...(cpuMillicores === null ? {} : { cpu_request: formatMillicores(cpuMillicores) }),
    ...(memoryKib === null ? {} : { memory_request: formatBytes(memoryKib * BYTES_PER_KIB) }),
  }
}
