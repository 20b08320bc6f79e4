import type { PodScheduling, Taint } from '@plimsoll/contract'
import type { PoolScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { selectorOf } from './selector.ts'

export const poolLabels = {
  aws: 'eks.amazonaws.com/nodegroup',
  gcp: 'cloud.google.com/gke-nodepool',
  azure: 'kubernetes.azure.com/agentpool',
  'on-prem': 'node.plimsoll.dev/pool',
}

export function dedicatedTaint(pool: string): Taint {
  return { key: 'dedicated', value: pool, effect: 'NoSchedule' }
}

/** The tolerations of the DaemonSet, and those that its controller adds. */
const daemonTolerations: NonNullable<PodScheduling['tolerations']> = [
  { operator: 'Exists' },
  ...(['not-ready', 'unreachable'] as const).map((name) => tolerationOf(name, 'NoExecute')),
  ...(['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'] as const).map((name) =>
    tolerationOf(name, 'NoSchedule'),
  ),
]

function tolerationOf(name: string, effect: Taint['effect']) {
  return { key: `node.kubernetes.io/${name}`, operator: 'Exists' as const, effect }
}

/**
 * The constraints of a real pod for the placement of the scenario: DaemonSets run everywhere, others select their
 * pools.
 */
export function schedulingOf(
  scenario: Scenario,
  workload: WorkloadScenario,
  pools: readonly PoolScenario[],
): PodScheduling | undefined {
  const scheduling = { ...placesOf(scenario, workload, pools), ...demandsOf(workload) }
  return Object.keys(scheduling).length === 0 ? undefined : scheduling
}

function demandsOf(workload: WorkloadScenario): PodScheduling {
  const { spreadOverZones, onePerNode, localStorage, safeToEvict, doNotDisrupt } = workload
  const selector = selectorOf(workload)
  return {
    ...(spreadOverZones ? { spread: [{ topology_key: 'topology.kubernetes.io/zone', max_skew: 1, selector }] } : {}),
    ...(onePerNode ? { pod_anti_affinity: [{ topology_key: 'kubernetes.io/hostname', selector }] } : {}),
    ...(localStorage ? { local_storage: true } : {}),
    ...(safeToEvict === undefined ? {} : { safe_to_evict: safeToEvict }),
    ...(doNotDisrupt ? { do_not_disrupt: true } : {}),
  }
}

function placesOf(
  { provider }: Scenario,
  { kind, pools: names }: WorkloadScenario,
  pools: readonly PoolScenario[],
): PodScheduling | undefined {
  if (kind === 'DaemonSet' && !names) return { tolerations: daemonTolerations }
  if (!names) return undefined
  const dedicated = pools.filter(({ dedicated: isDedicated }) => isDedicated)
  return {
    node_affinity: [{ expressions: [{ key: poolLabels[provider], operator: 'In', values: [...names] }] }],
    ...(dedicated.length === 0
      ? {}
      : { tolerations: dedicated.map(({ name }) => ({ ...dedicatedTaint(name), operator: 'Equal' })) }),
  }
}
