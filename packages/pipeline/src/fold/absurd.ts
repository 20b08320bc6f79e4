import type { NodeVersion, PodShape, PodVersion, VolumeVersion } from '@plimsoll/contract'

/**
 * More than any real node or container. Low enough that the sums of a large cluster fit their columns: a batch that
 * cannot be written would be retried forever.
 */
const millicoresMax = 1e7
const kibMax = 1e11
const gpusMax = 1e4
const volumeKibMax = 1e13
const aheadSecondsMax = 600

/** Maximum usage of a container, in tenths of a millicore and in KiB. */
export const usageMax = { cpu: 10 * millicoresMax, memory: kibMax }

/** Why the record is not plausible; undefined: it is plausible. */
export function absurdNode(node: NodeVersion, observedAt: number): string | undefined {
  const { cpuCapacityMillicores, cpuAllocatableMillicores, memoryCapacityKib, memoryAllocatableKib, gpuCapacity } = node
  const isTooLarge =
    Math.max(cpuCapacityMillicores, cpuAllocatableMillicores) > millicoresMax ||
    Math.max(memoryCapacityKib, memoryAllocatableKib) > kibMax ||
    gpuCapacity > gpusMax
  return isTooLarge ? 'the capacity is larger than any machine' : fromTheFuture(node, observedAt)
}

export function absurdPod(pod: PodVersion, observedAt: number): string | undefined {
  return asksTooMuch(pod.shape) ? 'the requests are larger than any machine' : fromTheFuture(pod, observedAt)
}

export function absurdVolume(volume: VolumeVersion, observedAt: number): string | undefined {
  return volume.sizeKib > volumeKibMax ? 'the size is larger than any volume' : fromTheFuture(volume, observedAt)
}

export const fromTheFuture = ({ from }: { from: number }, observedAt: number): string | undefined =>
  from > observedAt + aheadSecondsMax ? 'the start time is in the future' : undefined

function asksTooMuch({ containers, ...pod }: PodShape): boolean {
  const cpu = containers.reduce((sum, each) => sum + Math.max(each.cpu_request ?? 0, each.cpu_allocated ?? 0), 0)
  const memory = containers.reduce(
    (sum, each) => sum + Math.max(each.memory_request ?? 0, each.memory_allocated ?? 0),
    0,
  )
  const gpus = containers.reduce((sum, each) => sum + (each.gpu_count ?? 0), 0)
  return (
    Math.max(cpu, pod.pod_cpu_request ?? 0) + (pod.overhead_cpu ?? 0) > millicoresMax ||
    Math.max(memory, pod.pod_memory_request ?? 0) + (pod.overhead_memory ?? 0) > kibMax ||
    gpus > gpusMax
  )
}
