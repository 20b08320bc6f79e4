import { createHash } from 'node:crypto'
import type { ContainerShape, PodShape } from '@plimsoll/contract'
import { kibibytes, millicores, parseQuantity } from '@plimsoll/engine'
import { acceleratorsOf } from './accelerators.ts'
import type { Container, ContainerStatus, PodObject, Resources } from './kube-types.ts'
import { schedulingOf } from './scheduling.ts'
import { without } from './without.ts'

/** Resources and constraints of a pod from its API object, without the template of its workload. */
export function podShape(pod: PodObject): PodShape {
  const { spec = {}, status = {} } = pod
  const statuses = new Map(
    [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map((each) => [each.name, each]),
  )
  const scheduling = schedulingOf(pod)
  return {
    containers: containersOf(pod).map(({ container, kind }) =>
      containerShape(container, kind, statuses.get(container.name)),
    ),
    ...without({
      overhead_cpu: parseQuantity(spec.overhead?.cpu, millicores),
      overhead_memory: parseQuantity(spec.overhead?.memory, kibibytes),
      pod_cpu_request: parseQuantity(spec.resources?.requests?.cpu, millicores),
      pod_memory_request: parseQuantity(spec.resources?.requests?.memory, kibibytes),
      pod_cpu_limit: parseQuantity(spec.resources?.limits?.cpu, millicores),
      pod_memory_limit: parseQuantity(spec.resources?.limits?.memory, kibibytes),
      resize_infeasible: isResizeInfeasible(pod) ? true : undefined,
      scheduling,
    }),
  }
}

/** In the order of a shape: init containers first. */
export function containersOf({ spec = {} }: PodObject): { container: Container; kind: ContainerShape['kind'] }[] {
  const { initContainers = [], containers = [] } = spec
  return [
    ...initContainers.map((container) => ({
      container,
      kind: container.restartPolicy === 'Always' ? ('sidecar' as const) : ('init' as const),
    })),
    ...containers.map((container) => ({ container, kind: 'app' as const })),
  ]
}

function containerShape(
  { name = '', image, resources = {} }: Container,
  kind: ContainerShape['kind'],
  status: ContainerStatus | undefined,
): ContainerShape {
  const { requests = {}, limits = {} } = resources
  // A limit without a request counts as the request: the API server sets it for CPU and memory, and extended resources
  // require both to be equal.
  const accelerators = acceleratorsOf(requests) ?? acceleratorsOf(limits)
  const cpu = parseQuantity(requests.cpu, millicores)
  const memory = parseQuantity(requests.memory, kibibytes)
  return {
    name,
    kind,
    ...without({
      cpu_request: cpu,
      memory_request: memory,
      cpu_limit: parseQuantity(limits.cpu, millicores),
      memory_limit: parseQuantity(limits.memory, kibibytes),
      cpu_allocated: unless(cpu, parseQuantity(allocated(status)?.cpu, millicores)),
      memory_allocated: unless(memory, parseQuantity(allocated(status)?.memory, kibibytes)),
      gpu_resource: accelerators?.resource,
      gpu_count: accelerators?.count,
      image: image === undefined || image === '' ? undefined : imageDigest(image),
    }),
  }
}

/** Detects a new image without revealing its name. */
const imageDigest = (image: string) => createHash('sha256').update(image).digest('hex').slice(0, 16)

/** The resources allocated by the kubelet. Newer kubelets report them as the actual resources. */
const allocated = (status: ContainerStatus | undefined): Resources['requests'] =>
  status?.allocatedResources ?? status?.resources?.requests

/** Only while the value differs from the request: a resize is in progress. */
const unless = (requested: number | undefined, has: number | undefined) =>
  has === undefined || requested === undefined || has === requested ? undefined : has

function isResizeInfeasible({ status = {} }: PodObject): boolean {
  if (status.resize === 'Infeasible') return true
  const pending = status.conditions?.find(({ type }) => type === 'PodResizePending')
  return pending?.status === 'True' && pending.reason === 'Infeasible'
}
