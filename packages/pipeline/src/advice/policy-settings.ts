import type { PolicySettings } from '@plimsoll/contract'
import { DEFAULT_POLICY, type Policies, type Policy } from '@plimsoll/engine/rules'

const names = {
  dial: 'dial',
  min_history_days: 'historyDaysMin',
  min_coverage: 'coverageMin',
  min_savings: 'savingUsdPerMonthMin',
  min_cpu_millicores: 'cpuMillicoresMin',
  min_memory_mib: 'memoryMibMin',
  include_system_namespaces: 'includeSystemNamespaces',
  excluded: 'isExcluded',
  owner_labels: 'ownerLabels',
  node_pool_scaling: 'poolScaling',
} as const satisfies Record<keyof PolicySettings, keyof Policy>

/** `namespace` is empty for the policy of the whole cluster. */
export type PolicyRow = { namespace: string; settings: PolicySettings }

/** The policies in the form that the rules read. */
export function policiesOf(rows: readonly PolicyRow[]): Policies {
  const policies = rows.map(({ namespace, settings }) => [namespace, policyOf(settings)] as const)
  return {
    cluster: policies.find(([namespace]) => namespace === '')?.[1] ?? {},
    byNamespace: new Map(policies.filter(([namespace]) => namespace !== '')),
  }
}

function policyOf(settings: PolicySettings): Partial<Policy> {
  const known = Object.entries(settings).map(([name, value]) => [names[name as keyof PolicySettings], value])
  return Object.fromEntries(known) as Partial<Policy>
}

export const defaultSettings = Object.fromEntries(
  Object.entries(names).map(([shown, name]) => [shown, DEFAULT_POLICY[name]]),
) as Required<PolicySettings>
