import type { WorkloadFacts } from './cluster-facts.ts'

/** What all its pods request, without what init containers ask for. */
export function requestedBy({ containers, replicas }: WorkloadFacts) {
  const staying = containers.filter(({ kind }) => kind !== 'init')
  const sum = (of: 'cpuRequestMillicores' | 'memoryRequestKib') =>
    replicas * staying.reduce((total, each) => total + (each[of] ?? 0), 0)
  return { cpuMillicores: sum('cpuRequestMillicores'), memoryKib: sum('memoryRequestKib') }
}

/** What all its pods request costs a month; 0 without a price. */
export function requestUsd(workload: WorkloadFacts): number {
  const { price } = workload
  if (price === null) return 0
  const { cpuMillicores, memoryKib } = requestedBy(workload)
  return cpuMillicores * price.cpuUsdPerMillicoreMonth + memoryKib * price.memoryUsdPerKibMonth
}
