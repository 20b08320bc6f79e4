import type { ContainerShape } from '@plimsoll/contract'
import { paidUntil, type PodRecord } from './inventory.ts'
import type { FoldState } from './fold-state.ts'
import { keyText, type ContainerKey } from './usage-sums.ts'

/** One container of a workload, by its newest pod. Millicores and KiB; null: no request. */
export type ContainerNow = {
  key: ContainerKey
  kind: ContainerShape['kind']
  cpuRequest: number | null
  cpuLimit: number | null
  memoryRequest: number | null
  memoryLimit: number | null
  pods: number
}

/** Includes a CronJob between its runs, by its last pod, because most runs are over when an hour ends. */
export function containersNow({ inventory, watermark }: FoldState): ContainerNow[] {
  const containers = new Map<string, ContainerNow & { boundAt: number; uid: string }>()
  for (const pod of inventory.pods.values()) {
    const isOver = paidUntil(pod) <= watermark
    if (!pod.node || (isOver && pod.workloadKind !== 'CronJob')) continue
    for (const container of pod.versions.at(-1)?.facts.shape.containers ?? []) {
      const key: ContainerKey = [pod.namespace, pod.workloadKind, pod.workloadName, container.name]
      const before = containers.get(keyText(key))
      const pods = (before?.pods ?? 0) + (isOver ? 0 : 1)
      if (before && !isNewer(pod, before)) before.pods = pods
      else {
        containers.set(keyText(key), {
          key,
          kind: container.kind,
          cpuRequest: container.cpu_request ?? null,
          cpuLimit: container.cpu_limit ?? null,
          memoryRequest: container.memory_request ?? null,
          memoryLimit: container.memory_limit ?? null,
          pods,
          boundAt: pod.boundAt,
          uid: pod.uid,
        })
      }
    }
  }
  return [...containers.values()]
}

/** The uid breaks ties between pods of one second, so that the order of arrival does not matter. */
const isNewer = (pod: PodRecord, than: { boundAt: number; uid: string }) =>
  pod.boundAt > than.boundAt || (pod.boundAt === than.boundAt && pod.uid > than.uid)
