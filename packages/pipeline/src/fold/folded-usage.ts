import { addThrottling, type Throttling } from '@plimsoll/contract'
import type { TimeSpan } from '@plimsoll/engine'
import type { Inventory, PodRecord } from './inventory.ts'
import type { LastSeen } from './last-seen.ts'
import type { ContainerSums, FoldedPodSums, PodSums } from './pod-sums.ts'
import { emptyHistogram } from './usage-histogram.ts'
import { keyText, type ContainerKey, type ContainerUse, type SteadyUse, type UsageSums } from './usage-sums.ts'

/** Of one container of a workload, in one hour. */
export type FoldedContainer = ContainerUse & {
  /**
   * Usage is added to the stored usage. These fields replace the stored ones, because they are known for the whole
   * hour.
   */
  podSeconds: number
  oomKills: number
  restarts: number
  /** Null: not reported. */
  throttling: Throttling | null
  /** The mean of the busiest pod, if reported; otherwise computed from the pods. */
  hottest?: { cpu: number; memory: number }
}

export type FoldedPod = Pick<PodRecord, 'uid' | 'name' | 'namespace' | 'workloadKind' | 'workloadName'> & {
  nodeUid: string
  /** As in PodSums. */
  sums: number[]
  containers: ContainerSums
  steady: SteadyUse
}

export type FoldedUsage = {
  containers: FoldedContainer[]
  /** Added to the stored rows. */
  measured: FoldedPod[]
  /** Replaces the stored rows. */
  bridged: FoldedPod[]
}

export type HourUsage = { usage: UsageSums; measured: PodSums; bridged: PodSums; reported: TimeSpan }

/** The usage of containers and pods in an hour, when the hour is written. */
export function foldUsage(
  inventory: Inventory,
  lastSeen: LastSeen,
  { usage, measured, bridged, reported }: HourUsage,
): FoldedUsage {
  const containers = new Map(usage.containers.map((use) => [keyText(use.key), { ...use, ...unseen }]))
  const find = (key: ContainerKey) => {
    const known = containers.get(keyText(key))
    if (known) return known
    const made = { ...unused(key), ...unseen }
    containers.set(keyText(key), made)
    return made
  }
  for (const pod of inventory.pods.values()) {
    const seconds = secondsLived(pod, lastSeen, reported)
    if (seconds > 0) for (const key of containersOf(pod)) find(key).podSeconds += seconds
  }
  for (const { podUid, container, oomKills, restarts } of usage.events) {
    const pod = inventory.pods.get(podUid)
    const key = pod && containersOf(pod)[container]
    if (!key) continue
    find(key).oomKills += oomKills
    find(key).restarts += restarts
  }
  for (const { podUid, container, ...throttling } of usage.throttling) {
    const pod = inventory.pods.get(podUid)
    const key = pod && containersOf(pod)[container]
    if (key) find(key).throttling = addThrottling(find(key).throttling, throttling)
  }
  const podsOf = (sums: PodSums, steadyOf: (uid: string) => SteadyUse) =>
    sums.rows.flatMap((row) => foldedPod(inventory.pods.get(row.uid), row, steadyOf(row.uid)))
  return {
    containers: [...containers.values()],
    measured: podsOf(measured, (uid) => usage.steadyOf(uid)),
    bridged: podsOf(bridged, () => ({})),
  }
}

export function containersOf({ namespace, workloadKind, workloadName, versions }: PodRecord): ContainerKey[] {
  return (versions.at(-1)?.names ?? []).map((name) => [namespace, workloadKind, workloadName, name])
}

function secondsLived(pod: PodRecord, { nodeUntil, podUntil }: LastSeen, { from, to }: TimeSpan): number {
  if (!pod.node) return 0
  const end = Math.min(to, podUntil(pod), nodeUntil(pod.node))
  return Math.max(0, end - Math.max(from, pod.boundAt, pod.node.bornAt))
}

function foldedPod(pod: PodRecord | undefined, { sums, containers }: FoldedPodSums, steady: SteadyUse): FoldedPod[] {
  if (!pod) return []
  const { uid, name, namespace, workloadKind, workloadName } = pod
  return [{ uid, name, namespace, workloadKind, workloadName, nodeUid: pod.node?.uid ?? '', sums, containers, steady }]
}

const unseen = { podSeconds: 0, oomKills: 0, restarts: 0, throttling: null as Throttling | null }

const unused = (key: ContainerKey): ContainerUse => ({
  key,
  cpu: { sum: 0, max: 0, histogram: emptyHistogram },
  memory: { sum: 0, max: 0, histogram: emptyHistogram },
  startUp: { minutes: 0, cpuSum: 0, cpuMax: 0, memoryMax: 0 },
})
