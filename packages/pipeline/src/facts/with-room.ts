import { MICROCORES_PER_MILLICORE } from '@plimsoll/engine'
import type { WorkloadRoom } from '@plimsoll/engine/packing'
import { workloadPath, type ClusterFacts, type RoomFacts } from '@plimsoll/engine/rules'
import type { Packed } from './node-facts.ts'

/** Adds the capacity of the nodes that the pods may run on. */
export function withRoom(facts: ClusterFacts, packed: Packed | undefined): ClusterFacts {
  if (!packed) return facts
  const workloads = facts.workloads.map((workload) => {
    const { namespace, kind, name } = workload
    return { ...workload, room: roomFacts(packed.roomOf(workloadPath(namespace, kind, name))) }
  })
  return { ...facts, workloads }
}

export const roomFacts = (room: WorkloadRoom | null): RoomFacts | null =>
  room && {
    cpuMillicoresMax: room.cpuMax / MICROCORES_PER_MILLICORE,
    memoryKibMax: room.memoryMax,
    get cpuMillicoresFree() {
      return room.cpuFree / MICROCORES_PER_MILLICORE
    },
  }
