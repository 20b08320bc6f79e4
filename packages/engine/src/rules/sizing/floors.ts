import { describeMillicores, KIB_PER_GIB } from '../../units.ts'
import { showKib } from '../checks.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { annotatedFloors } from '../facts/annotations.ts'
import type { Policy } from '../facts/policy.ts'
import type { ContainerSpec } from '../finding.ts'

const KIB_PER_MIB = 1024

export type Floors = { readonly cpuMillicores: number; readonly memoryKib: number }

/** The highest of the policy, the annotations of the workload and the LimitRange of its namespace. */
export function floorsOf(workload: WorkloadFacts, policy: Policy): Floors {
  const sources = floorSources(workload, policy)
  return {
    cpuMillicores: Math.max(...sources.map(({ floors }) => floors.cpuMillicores)),
    memoryKib: Math.max(...sources.map(({ floors }) => floors.memoryKib)),
  }
}

/** Each floor with its source: "50m by the LimitRange of namespace staging (10m by the policy)". */
export function floorWords(workload: WorkloadFacts, policy: Policy): { readonly cpu: string; readonly memory: string } {
  const sources = floorSources(workload, policy)
  return {
    cpu: highest(sources, ({ cpuMillicores }) => cpuMillicores, describeMillicores),
    memory: highest(sources, ({ memoryKib }) => memoryKib, showKib),
  }
}

type FloorSource = { readonly source: string; readonly floors: Floors }

/** The policy comes first, as the default. */
const floorSources = (workload: WorkloadFacts, policy: Policy): FloorSource[] => [
  { source: 'the policy', floors: { cpuMillicores: policy.cpuMillicoresMin, memoryKib: policy.memoryMibMin * 1024 } },
  { source: 'annotation on the workload', floors: orNone(annotatedFloors(workload)) },
  {
    source: `LimitRange of namespace ${workload.namespace}`,
    floors: orNone({
      cpuMillicores: workload.limits?.cpuMillicoresMin ?? null,
      memoryKib: workload.limits?.memoryKibMin ?? null,
    }),
  },
]

const orNone = ({ cpuMillicores, memoryKib }: { cpuMillicores: number | null; memoryKib: number | null }): Floors => ({
  cpuMillicores: cpuMillicores ?? 0,
  memoryKib: memoryKib ?? 0,
})

function highest(
  sources: readonly FloorSource[],
  of: (floors: Floors) => number,
  show: (value: number) => string,
): string {
  const [policy, ...others] = sources
  if (!policy) return ''
  const most = others.reduce((best, each) => (of(each.floors) > of(best.floors) ? each : best), policy)
  const shown = ({ floors }: FloorSource) => show(of(floors))
  return most === policy ? `${shown(policy)} (policy)` : `${shown(most)} (${most.source}; policy: ${shown(policy)})`
}

/** No proposal is below the floors. */
export function withFloors(workload: WorkloadFacts, policy: Policy, spec: ContainerSpec): ContainerSpec {
  const floors = floorsOf(workload, policy)
  return {
    cpuMillicores: spec.cpuMillicores === null ? null : Math.max(floors.cpuMillicores, Math.ceil(spec.cpuMillicores)),
    memoryKib: spec.memoryKib === null ? null : Math.max(floors.memoryKib, roundKib(spec.memoryKib)),
  }
}

/** Readable figures: whole MiB, and fewer digits for large values. */
function roundKib(kib: number): number {
  const step = KIB_PER_MIB * (kib >= 16 * KIB_PER_GIB ? 256 : kib >= 4 * KIB_PER_GIB ? 64 : 1)
  return Math.ceil(kib / step) * step
}
