import type { DialName, PoolScaling } from '../../vocabulary/policies.ts'

/** Settings of the rules per cluster and namespace. A missing setting comes from the wider scope. */
export type Policy = {
  readonly dial: DialName
  readonly historyDaysMin: number
  /** Share of the expected samples, 0 to 1. */
  readonly coverageMin: number
  /** Smaller savings are withheld. */
  readonly savingUsdPerMonthMin: number
  readonly cpuMillicoresMin: number
  readonly memoryMibMin: number
  readonly includeSystemNamespaces: boolean
  /** No recommendations here. */
  readonly isExcluded: boolean
  /** Labels that name the owner of a workload; one is enough. */
  readonly ownerLabels: readonly string[]
  /** By pool: the answer of a user about its autoscaling. For clusters, not for namespaces. */
  readonly poolScaling: Readonly<Record<string, PoolScaling>>
}

export const DEFAULT_POLICY: Policy = {
  dial: 'balanced',
  historyDaysMin: 7,
  coverageMin: 0.8,
  savingUsdPerMonthMin: 1,
  cpuMillicoresMin: 10,
  memoryMibMin: 20,
  includeSystemNamespaces: false,
  isExcluded: false,
  ownerLabels: ['team', 'owner', 'app.kubernetes.io/part-of'],
  poolScaling: {},
}

export type Policies = {
  readonly cluster: Partial<Policy>
  readonly byNamespace: ReadonlyMap<string, Partial<Policy>>
}

export function policyOf({ cluster, byNamespace }: Policies, namespace: string): Policy {
  return { ...DEFAULT_POLICY, ...cluster, ...byNamespace.get(namespace) }
}

const SYSTEM_NAMESPACES = new Set(['kube-system', 'kube-public', 'kube-node-lease', 'gke-managed-system', 'gmp-system'])

export const isSystemNamespace = (namespace: string) => SYSTEM_NAMESPACES.has(namespace)
