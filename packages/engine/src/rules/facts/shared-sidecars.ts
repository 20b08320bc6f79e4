import { groupBy } from '../../group-by.ts'
import type { ClusterFacts, ContainerFacts, WorkloadFacts } from './cluster-facts.ts'
import { runsAllTheTime } from './judgeable.ts'

/** With this many workloads, the same sidecar comes from one template. */
export const WORKLOADS_MIN = 3

/** Sidecars that meshes and secret stores inject. */
const INJECTED = new Set(['istio-proxy', 'linkerd-proxy', 'vault-agent', 'daprd', 'kuma-sidecar', 'consul-dataplane'])

export type SharedSidecar = { readonly workload: WorkloadFacts; readonly container: ContainerFacts }

const isSidecar = ({ kind, name }: ContainerFacts) => kind === 'sidecar' || INJECTED.has(name)

/** Sidecars of the same name and the same requests in several workloads, grouped. */
export function listSharedSidecars({ workloads }: ClusterFacts): Map<ContainerFacts, readonly SharedSidecar[]> {
  const sidecars = workloads
    .filter(runsAllTheTime)
    .flatMap((workload) => workload.containers.filter(isSidecar).map((container) => ({ workload, container })))
  const groups = groupBy(sidecars, ({ container }) =>
    [container.name, container.cpuRequestMillicores, container.memoryRequestKib].join(' '),
  )
  const shared = [...groups.values()].filter((group) => group.length >= WORKLOADS_MIN)
  return new Map(shared.flatMap((group) => group.map(({ container }) => [container, group] as const)))
}
