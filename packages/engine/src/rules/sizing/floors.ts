import { describeMillicores } from '../../units.ts'
import { showKib } from '../checks.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { annotatedFloors } from '../facts/annotations.ts'
import type { Policy } from '../facts/policy.ts'

export type Floors = { readonly cpuMillicores: number; readonly memoryKib: number }

/** The highest of the policy, the annotations of the workload and the LimitRange of its namespace. */
export function floorsOf(workload: WorkloadFacts, policy: Policy): Floors {
  const said = saidBy(workload, policy)
  return {
    cpuMillicores: Math.max(...said.map(({ floors }) => floors.cpuMillicores)),
    memoryKib: Math.max(...said.map(({ floors }) => floors.memoryKib)),
  }
}

/** Each floor with its source: "50m by the LimitRange of namespace staging (10m by the policy)". */
export function floorWords(workload: WorkloadFacts, policy: Policy): { readonly cpu: string; readonly memory: string } {
  const said = saidBy(workload, policy)
  return {
    cpu: highest(said, ({ cpuMillicores }) => cpuMillicores, describeMillicores),
    memory: highest(said, ({ memoryKib }) => memoryKib, showKib),
  }
}

type Said = { readonly who: string; readonly floors: Floors }

/** The policy comes first, as the default. */
const saidBy = (workload: WorkloadFacts, policy: Policy): Said[] => [
  { who: 'the policy', floors: { cpuMillicores: policy.cpuMillicoresMin, memoryKib: policy.memoryMibMin * 1024 } },
  { who: 'annotation on the workload', floors: orNone(annotatedFloors(workload)) },
  {
    who: `LimitRange of namespace ${workload.namespace}`,
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

function highest(said: readonly Said[], of: (floors: Floors) => number, show: (value: number) => string): string {
  const [policy, ...others] = said
  if (!policy) return ''
  const most = others.reduce((best, each) => (of(each.floors) > of(best.floors) ? each : best), policy)
  const shown = ({ floors }: Said) => show(of(floors))
  return most === policy ? `${shown(policy)} (policy)` : `${shown(most)} (${most.who}; policy: ${shown(policy)})`
}
