import type { PodScheduling, Taint } from '@plimsoll/contract'
import type { PoolScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'

export const poolLabels = {
  aws: 'eks.amazonaws.com/nodegroup',
  gcp: 'cloud.google.com/gke-nodepool',
  azure: 'kubernetes.azure.com/agentpool',
  'on-prem': 'node.plimsoll.dev/pool',
}

export function dedicatedTaint(pool: string): Taint {
  return { key: 'dedicated', value: pool, effect: 'NoSchedule' }
}

/** What a real pod would have to say to be where the scenario puts it: DaemonSets go everywhere, others name their pools. */
export function schedulingOf(
  { provider }: Scenario,
  { kind, pools: names }: WorkloadScenario,
  pools: readonly PoolScenario[],
): PodScheduling | undefined {
  if (kind === 'DaemonSet' && !names) return { tolerations: [{ operator: 'Exists' }] }
  if (!names) return undefined
  const dedicated = pools.filter(({ dedicated: isDedicated }) => isDedicated)
  return {
    node_affinity: [{ expressions: [{ key: poolLabels[provider], operator: 'In', values: [...names] }] }],
    ...(dedicated.length === 0
      ? {}
      : { tolerations: dedicated.map(({ name }) => ({ key: 'dedicated', operator: 'Equal', value: name })) }),
  }
}
