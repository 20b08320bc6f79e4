import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import type { Amount } from './saving-lines.ts'

/** The number of paid pods: the mean for a scaled workload, as in right-sizing; else the current pods. */
export function podsPaidBy(workload: WorkloadFacts): number {
  const means = workload.containers.flatMap(({ kind, usage }) =>
    kind === 'init' || usage === null || usage.replicasMean === 0 ? [] : [usage.replicasMean],
  )
  return workload.autoscaler === null || means.length === 0 ? workload.replicas : Math.max(...means)
}

/** The reservation of one pod: the sum of its containers, or its largest init container if that is more. */
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

/** The requests of all paid pods. */
export function requestedBy(workload: WorkloadFacts): Amount {
  const pods = podsPaidBy(workload)
  const { cpuMillicores, memoryKib } = requestedByPod(workload)
  return { cpuMillicores: pods * cpuMillicores, memoryKib: pods * memoryKib }
}

/** Monthly cost of the requests of all paid pods; 0 without a price. */
export const requestUsd = (workload: WorkloadFacts): number => usdOf(workload, requestedBy(workload))

/** The same for one pod. */
export const requestUsdOfPod = (workload: WorkloadFacts): number => usdOf(workload, requestedByPod(workload))

function usdOf({ price }: WorkloadFacts, { cpuMillicores, memoryKib }: Amount): number {
  return price === null ? 0 : cpuMillicores * price.cpuUsdPerMillicoreMonth + memoryKib * price.memoryUsdPerKibMonth
}
