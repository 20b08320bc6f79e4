import { MICROCORES_PER_MILLICORE } from '@plimsoll/engine'
import type { AdmittingCapacity } from '@plimsoll/engine/packing'
import { workloadPath, type ClusterFacts, type CapacityFacts } from '@plimsoll/engine/rules'
import type { Packed } from './node-facts.ts'

/** Adds the capacity of the nodes that the pods may run on. */
export function withCapacity(facts: ClusterFacts, packed: Packed | undefined): ClusterFacts {
  if (!packed) return facts
  const workloads = facts.workloads.map((workload) => {
    const { namespace, kind, name } = workload
    return { ...workload, admittingCapacity: capacityFacts(packed.capacityOf(workloadPath(namespace, kind, name))) }
  })
  return { ...facts, workloads }
}

export const capacityFacts = (capacity: AdmittingCapacity | null): CapacityFacts | null =>
  capacity && {
    cpuMillicoresMax: capacity.cpuMax / MICROCORES_PER_MILLICORE,
    memoryKibMax: capacity.memoryMax,
    get cpuMillicoresFree() {
      return capacity.cpuFree / MICROCORES_PER_MILLICORE
    },
  }
