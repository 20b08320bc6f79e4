import type { ContainerShape, PodScheduling, PodShape } from '@plimsoll/contract'
import { gpuParts } from '@plimsoll/engine/allocation'
import type { AskedContainer, AskedState } from './read-workloads.ts'

type Defaults = { cpu?: number | undefined; memory?: number | undefined }

export type ShapeContext = {
  /** The pods of the workload in the cluster. */
  live: PodShape | undefined
  /** Containers of the state that comes before, which are not injected. */
  known: ReadonlySet<string>
  /** Requests that a LimitRange sets. */
  defaults: Defaults
}

/**
 * The pod that the asked state leads to. Constraints, the overhead of the runtime class and injected containers are not
 * in the request, so they come from the pods in the cluster.
 */
export function shapeOf(asked: AskedState, { live, known, defaults }: ShapeContext): PodShape {
  const own = asked.containers.map((container) => containerOf(container, defaults))
  const injected = live ? injectedOf(live, new Set([...known, ...own.map(({ name }) => name)])) : []
  return {
    ...(live?.overhead_cpu === undefined ? {} : { overhead_cpu: live.overhead_cpu }),
    ...(live?.overhead_memory === undefined ? {} : { overhead_memory: live.overhead_memory }),
    ...(asked.podCpu === undefined ? {} : { pod_cpu_request: asked.podCpu }),
    ...(asked.podMemory === undefined ? {} : { pod_memory_request: asked.podMemory }),
    containers: [...own, ...injected],
    scheduling: schedulingOf(asked.containers, live?.scheduling),
  }
}

const containerOf = ({ name, kind, cpu, memory, extended }: AskedContainer, defaults: Defaults): ContainerShape => {
  const cpuRequest = cpu ?? defaults.cpu
  const memoryRequest = memory ?? defaults.memory
  const [resource, count] = Object.entries(extended).find(([each]) => gpuParts(each, 1, {}) !== undefined) ?? []
  return {
    ...{ name, kind },
    ...(cpuRequest === undefined ? {} : { cpu_request: cpuRequest }),
    ...(memoryRequest === undefined ? {} : { memory_request: memoryRequest }),
    ...(resource === undefined || count === undefined ? {} : { gpu_resource: resource, gpu_count: count }),
  }
}

/** Containers that the template does not have. Without the template, the named containers count as its containers. */
function injectedOf({ containers, template }: PodShape, known: ReadonlySet<string>): ContainerShape[] {
  const names = new Set([...(template?.containers ?? []), ...(template?.init_containers ?? [])].map(({ name }) => name))
  return containers.filter(({ name }) => !known.has(name) && !names.has(name))
}

/** The names that the state in the cluster has from its template. */
export function templateNames({ containers, template }: PodShape): Set<string> {
  if (!template) return new Set(containers.map(({ name }) => name))
  return new Set([...template.containers, ...(template.init_containers ?? [])].map(({ name }) => name))
}

/** The scheduler reserves the sum over the containers, or the largest init container. */
function schedulingOf(containers: readonly AskedContainer[], live: PodScheduling | undefined): PodScheduling {
  const { ephemeral_request: _ephemeral, extended_requests: _extended, ...constraints } = live ?? {}
  const most = (of: (container: AskedContainer) => number) => {
    const sum = containers.reduce((total, each) => total + (each.kind === 'init' ? 0 : of(each)), 0)
    return containers.reduce((largest, each) => Math.max(largest, each.kind === 'init' ? of(each) : 0), sum)
  }
  const ephemeral = most((each) => each.ephemeral)
  const names = [...new Set(containers.flatMap(({ extended }) => Object.keys(extended)))]
  const extended = names.map((name) => [name, most((each) => each.extended[name] ?? 0)])
  return {
    ...constraints,
    ...(ephemeral === 0 ? {} : { ephemeral_request: ephemeral }),
    ...(extended.length === 0 ? {} : { extended_requests: Object.fromEntries(extended) as Record<string, number> }),
  }
}
