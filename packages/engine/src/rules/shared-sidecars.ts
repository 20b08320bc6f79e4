import type { ClusterFacts, ContainerFacts, WorkloadFacts } from './cluster-facts.ts'
import { runsAllTheTime } from './judgeable.ts'

/** So many workloads have the same sidecar: then one template is behind all of them. */
const WORKLOADS_MIN = 3

/** What meshes, secret stores and the like put into pods that others wrote. */
const INJECTED = new Set(['istio-proxy', 'linkerd-proxy', 'vault-agent', 'daprd', 'kuma-sidecar', 'consul-dataplane'])

export type SharedSidecar = { readonly workload: WorkloadFacts; readonly container: ContainerFacts }

const isSidecar = ({ kind, name }: ContainerFacts) => kind === 'sidecar' || INJECTED.has(name)

/** Sidecars of the same name and the same requests in several workloads, each with all that are like it. */
export function listSharedSidecars({ workloads }: ClusterFacts): Map<ContainerFacts, readonly SharedSidecar[]> {
  const groups = new Map<string, SharedSidecar[]>()
  for (const workload of workloads.filter(runsAllTheTime)) {
    for (const container of workload.containers.filter(isSidecar)) {
      const key = [container.name, container.cpuRequestMillicores, container.memoryRequestKib].join(' ')
      const group = groups.get(key) ?? []
      groups.set(key, group)
      group.push({ workload, container })
    }
  }
  const shared = [...groups.values()].filter((group) => group.length >= WORKLOADS_MIN)
  return new Map(shared.flatMap((group) => group.map(({ container }) => [container, group] as const)))
}
