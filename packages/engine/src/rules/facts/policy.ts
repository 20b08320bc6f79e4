export const DIALS = ['thrifty', 'balanced', 'safe'] as const
export type Dial = (typeof DIALS)[number]

/** How careful advice has to be. Set per cluster and namespace; what is not set comes from the wider one. */
export type Policy = {
  readonly dial: Dial
  readonly historyDaysMin: number
  /** Of the samples that were to be expected, 0 to 1. */
  readonly coverageMin: number
  /** A saving below is not worth anybody's time. */
  readonly savingUsdPerMonthMin: number
  readonly cpuMillicoresMin: number
  readonly memoryMibMin: number
  readonly includeSystemNamespaces: boolean
  /** No advice here at all. */
  readonly isExcluded: boolean
  /** Labels of which one says who owns a workload. */
  readonly ownerLabels: readonly string[]
  /** By pool: whether people say that something scales it. Of clusters, not of namespaces. */
  readonly poolScaling: Readonly<Record<string, PoolScaling>>
}

export type PoolScaling = 'automatic' | 'manual'

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

export const NO_POLICIES: Policies = { cluster: {}, byNamespace: new Map() }

export function policyOf({ cluster, byNamespace }: Policies, namespace: string): Policy {
  return { ...DEFAULT_POLICY, ...cluster, ...byNamespace.get(namespace) }
}

const SYSTEM_NAMESPACES = new Set(['kube-system', 'kube-public', 'kube-node-lease', 'gke-managed-system', 'gmp-system'])

export const isSystemNamespace = (namespace: string) => SYSTEM_NAMESPACES.has(namespace)
