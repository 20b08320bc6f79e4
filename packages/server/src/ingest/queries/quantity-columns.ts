import { RESOURCES, type Resource } from '@plimsoll/engine'

const usesOfWorkloads = ['request', 'usage', 'alloc', 'used', 'unmeasured', 'known'] as const
const usesOfNodes = ['capacity', 'allocatable', 'alloc', 'used', 'unmeasured', 'reserved'] as const

export type WorkloadSum = 'seconds' | 'container_seconds' | `${Resource}_${(typeof usesOfWorkloads)[number]}`
export type NodeSum = 'seconds' | `${Resource}_${(typeof usesOfNodes)[number]}`

const perResource = <Use extends string>(uses: readonly Use[]) =>
  RESOURCES.flatMap((resource) => uses.map((use) => `${resource}_${use}` as const))

/** Unit-seconds of workloads, the same columns in hours and days, of workloads and of namespaces. */
export const workloadSums: readonly WorkloadSum[] = ['seconds', 'container_seconds', ...perResource(usesOfWorkloads)]

/** Unit-seconds of nodes, the same columns in hours and days, of nodes and of clusters. */
export const nodeSums: readonly NodeSum[] = ['seconds', ...perResource(usesOfNodes)]
