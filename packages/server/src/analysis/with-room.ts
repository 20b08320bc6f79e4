import {
  isThrottled,
  MICROCORES_PER_MILLICORE,
  workloadPath,
  workloadRooms,
  type ClusterFacts,
  type RoomFacts,
  type WorkloadFacts,
  type WorkloadRoom,
} from '@plimsoll/engine'
import type { Packed } from './node-facts.ts'

/**
 * The same facts with the room that pods have where they may run. Of workloads that a CPU limit makes wait only: nobody asks about
 * the others, and every node is looked at for each.
 */
export function withRoom(facts: ClusterFacts, packed: Packed | undefined): ClusterFacts {
  if (!packed || !facts.workloads.some(isSlowed)) return facts
  const roomOf = workloadRooms(packed.cluster)
  const workloads = facts.workloads.map((workload) => {
    if (!isSlowed(workload)) return workload
    const { namespace, kind, name } = workload
    return { ...workload, room: shown(roomOf(workloadPath(namespace, kind, name))) }
  })
  return { ...facts, workloads }
}

const isSlowed = ({ containers }: WorkloadFacts) => containers.some(isThrottled)

const shown = (room: WorkloadRoom | null): RoomFacts | null =>
  room && {
    cpuMillicoresMax: room.cpuMax / MICROCORES_PER_MILLICORE,
    cpuMillicoresFree: room.cpuFree / MICROCORES_PER_MILLICORE,
  }
