import type { WorkloadFacts } from './cluster-facts.ts'
import type { Amount } from './saving-lines.ts'
import { podsPaid } from './size-container.ts'

/** How many of its pods are paid for, as right-sizing counts them; those of this minute where nothing was measured. */
export function podsPaidBy(workload: WorkloadFacts): number {
  const measured = workload.containers.flatMap(({ kind, usage }) =>
    kind === 'init' || usage === null ? [] : [podsPaid(workload, usage)],
  )
  return measured.length === 0 ? workload.replicas : Math.max(...measured)
}

/** What one pod holds: what its containers ask for together, or its largest init container where that is more. */
export function requestedByPod({ containers }: Pick<WorkloadFacts, 'containers'>): Amount {
  const inits = containers.filter(({ kind }) => kind === 'init')
  const staying = containers.filter(({ kind }) => kind !== 'init')
  const held = (of: 'cpuRequestMillicores' | 'memoryRequestKib') =>
    Math.max(
      staying.reduce((sum, each) => sum + (each[of] ?? 0), 0),
      ...inits.map((each) => each[of] ?? 0),
    )
  return { cpuMillicores: held('cpuRequestMillicores'), memoryKib: held('memoryRequestKib') }
}

/** What all pods that are paid for request. */
export function requestedBy(workload: WorkloadFacts): Amount {
  const pods = podsPaidBy(workload)
  const { cpuMillicores, memoryKib } = requestedByPod(workload)
  return { cpuMillicores: pods * cpuMillicores, memoryKib: pods * memoryKib }
}

/** What all pods that are paid for request costs a month; 0 without a price. */
export const requestUsd = (workload: WorkloadFacts): number => usdOf(workload, requestedBy(workload))

/** The same of one pod. */
export const requestUsdOfPod = (workload: WorkloadFacts): number => usdOf(workload, requestedByPod(workload))

function usdOf({ price }: WorkloadFacts, { cpuMillicores, memoryKib }: Amount): number {
  return price === null ? 0 : cpuMillicores * price.cpuUsdPerMillicoreMonth + memoryKib * price.memoryUsdPerKibMonth
}
