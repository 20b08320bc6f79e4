import type { Batch } from '@plimsoll/contract'
import type { PodRecord } from './inventory.ts'
import { startUpSeconds, type UsageSums } from './usage-sums.ts'

type Samples = { minute: number; first: number; last: number }

/** Adds the samples of one node-minute, already validated, to the container usage of its hour. */
export function addMinuteUse(
  columns: Batch['minutes'],
  { minute, first, last }: Samples,
  {
    podOf,
    usage,
    hourBefore,
  }: { podOf: (ref: number) => PodRecord | undefined; usage: UsageSums; hourBefore: UsageSums | undefined },
): void {
  const [from, to] = [minute * 60, minute * 60 + 60]
  const isRestarted = (uid: string, container: number) =>
    usage.isAfterRestart(uid, container, from, to) || hourBefore?.isAfterRestart(uid, container, from, to) === true
  const mayBeRestarted = usage.hasRestarts || hourBefore?.hasRestarts === true
  let podRef = -1
  let pod: PodRecord | undefined
  let entry: ReturnType<UsageSums['pod']> | undefined
  for (let index = first; index < last; index += 1) {
    const ref = columns.pod_ref[index] ?? 0
    if (ref !== podRef) {
      pod = podOf(ref)
      entry = pod && usage.pod(pod)
      podRef = ref
    }
    if (!pod || !entry) continue
    const container = columns.container[index] ?? 0
    const cpu = columns.cpu_mean[index] ?? 0
    const cpuMax = cpu + (columns.cpu_above[index] ?? 0)
    const memory = columns.memory_mean[index] ?? 0
    const memoryMax = memory + (columns.memory_above[index] ?? 0)
    if (from < pod.boundAt + startUpSeconds || (mayBeRestarted && isRestarted(pod.uid, container))) {
      usage.addStartUp(entry, container, cpu, cpuMax, memoryMax)
    } else usage.addSteady(entry, container, cpu, cpuMax, memory, memoryMax)
  }
}
