import type { ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { databaseOf } from '../facts/databases.ts'
import { specOf } from '../container-finding.ts'
import type { ContainerSpec } from '../finding.ts'

/** A request that is cut by more than this share leaves little margin for measurement errors. */
export const DEEP_CUT = 0.5

type Cut = {
  readonly workload: Pick<WorkloadFacts, 'kind' | 'replicas' | 'disruptionsAllowed'>
  readonly container: ContainerFacts
  readonly recommended: ContainerSpec
}

/**
 * Why a cut above half never has low risk: the pods cannot be replaced without loss while they are short. Empty for
 * smaller cuts, and for workloads whose other pods continue to serve.
 */
export function deepCutReasons(cut: Cut): string[] {
  const resources = deeplyCut(cut)
  if (resources.length === 0) return []
  const what = `${resources.join(' and ')} ${resources.length === 1 ? 'request' : 'requests'} reduced by more than half`
  return sensitivities(cut).map((why) => `${what}; ${why}`)
}

function deeplyCut({ container, recommended }: Cut): string[] {
  const current = specOf(container)
  const isDeep = (from: number | null, to: number | null) => from !== null && to !== null && to < (1 - DEEP_CUT) * from
  const cutsCpu = isDeep(current.cpuMillicores, recommended.cpuMillicores)
  return [
    ...(cutsCpu ? ['CPU'] : []),
    ...(isDeep(current.memoryKib, recommended.memoryKib) ? [cutsCpu ? 'memory' : 'Memory'] : []),
  ]
}

function sensitivities({ workload: { kind, replicas, disruptionsAllowed }, container }: Cut): string[] {
  const database = databaseOf(container)
  return [
    ...(kind === 'StatefulSet' ? ['the workload is a StatefulSet'] : []),
    ...(database === null ? [] : [`the container runs a database (${database})`]),
    ...(disruptionsAllowed === 0 ? ['its PodDisruptionBudget allows no disruption'] : []),
    ...(replicas === 1 && kind !== 'DaemonSet' ? ['the workload has a single pod'] : []),
  ]
}
