import { dollars } from './money.ts'
import { bytes, cores, fourDigits as round, gibibytes, withUnits } from './quantity.ts'
import { dated } from './time.ts'
import { providerName } from './labels.ts'

/** The labels of the facts of a rule. A fact without a label is shown by its key. */
const names: Record<string, string> = {
  above_usd_per_month: 'Cost of requests above 15 % of the pool',
  assets_usd_per_month: 'Volumes and load balancers',
  balancers: 'Load balancers',
  blocker: 'Blocked by',
  bound_usd_per_month: 'Lower bound of the cost',
  busiest: 'Busiest workload',
  cheaper_class: 'Cheaper storage class',
  cheaper_usd_per_month: 'Cost in the cheaper class',
  claim: 'PersistentVolumeClaim',
  cpu_floor: 'Minimum CPU request',
  cpu_limit_millicores: 'CPU limit',
  cpu_mean_millicores: 'CPU, mean',
  cpu_periods: 'CPU periods',
  cpu_requested_percent: 'Share of CPU requested',
  cpu_target_percent: 'CPU target of the HPA',
  cpu_use_percent: 'CPU used',
  daemon_cpu_percent: 'CPU of DaemonSets',
  daemon_memory_percent: 'Memory of DaemonSets',
  days: 'Days analyzed',
  days_since_success: 'Days since the last successful run',
  days_unmounted: 'Days unmounted',
  days_unused: 'Days unused',
  decision: 'Determined by',
  failures_in_a_row: 'Consecutive failures',
  gpu_usd_per_month: 'Cost of the GPUs',
  gpus: 'GPUs',
  heap_max_kib: 'Maximum JVM heap',
  hours_stuck: 'Hours not running',
  hours_without_endpoints: 'Hours without endpoints',
  instance_type: 'Instance type',
  instance_types: 'Instance types',
  max_cpu_millicores: 'CPU, maximum',
  memory_decided_by: 'Memory request determined by',
  memory_floor: 'Minimum memory request',
  memory_max_kib: 'Memory, maximum',
  memory_request_kib: 'Memory requested',
  memory_requested_percent: 'Share of memory requested',
  names: 'Workloads',
  needed_cpu_millicores: 'CPU requests of the other containers',
  needed_memory_kib: 'Memory requests of the other containers',
  off_cpu_millicores: 'CPU outside working hours',
  office_cpu_millicores: 'CPU in working hours',
  oldest_pod: 'Oldest pod',
  oom_kills: 'OOM kills',
  pods_moved: 'Pods to move',
  recommended: 'Recommended',
  replica_factor: 'CPU margin for uneven replicas',
  replicas_kept: 'Replicas kept',
  replicas_min: 'Minimum replicas',
  requested_percent_max: 'Highest share requested',
  requested_usd_per_month: 'Cost of the requests',
  restarts_last_day: 'Restarts in the last day',
  scaled_by: 'Scaled by',
  set: 'Proposed nodes',
  set_usd_per_month: 'Cost of the proposed nodes',
  size_gib: 'Size',
  spot_discount_percent: 'Spot discount',
  stranded_usd_per_month: 'Cost of unusable capacity',
  support_ended: 'Support ended',
  surcharge_usd_per_month: 'Surcharge',
  throttled_percent: 'Throttled CPU periods',
  usd_per_month: 'Cost',
  used_gib: 'Used',
}

const units: readonly [suffix: string, format: (value: number) => string][] = [
  ['_usd_per_month', (value) => `${dollars(value)}/month`],
  ['usd_per_month', (value) => `${dollars(value)}/month`],
  ['_millicores', cores],
  ['_kib', (value) => bytes(value * 1024)],
  ['_gib', gibibytes],
  ['_percent', (value) => `${round(value)} %`],
  ['_percent_max', (value) => `${round(value)} %`],
]

/** Labels of codes: what decided a value, and what blocks a drain. */
const words: Record<string, Record<string, string>> = {
  memory_decided_by: {
    rule: 'highest usage plus a margin',
    oom_kill: 'an OOM kill',
    floor: 'the minimum request',
    step: 'maximum reduction of 30 % per step',
  },
  blocker: {
    'node-marked': 'an annotation on the node',
    'pool-minimum': 'the minimum size of the pool',
    'above-threshold': 'utilization above the threshold of the autoscaler',
    'only-empty-nodes': 'the pool removes only empty nodes',
    'pod-marked': 'an annotation on a pod',
    'bare-pod': 'a pod without a controller',
    'local-storage': 'a pod with local storage',
    'system-pod': 'a system pod',
    'disruption-budget': 'a PodDisruptionBudget',
    'several-budgets': 'a pod with several PodDisruptionBudgets',
    'pod-does-not-fit': 'a pod that fits on no other node',
    'pod-may-not-fit': 'a pod that may not fit on another node',
  },
}

/** A factor of 1.2 reads 20 %. */
const more = (factor: number) => (factor <= 1 ? 'nothing' : `${round((factor - 1) * 100)} %`)

/** `memory_max_kib: 3479910` is "Memory, maximum: 3.32 GiB". */
export function factWords(key: string, value: string | number | boolean): [name: string, value: string] {
  const unit = units.find(([suffix]) => key.endsWith(suffix))
  const bare = (unit === undefined ? key : key.slice(0, key.length - unit[0].length)).replaceAll('_', ' ')
  const name = names[key] ?? bare.charAt(0).toUpperCase() + bare.slice(1)
  if (typeof value === 'boolean') return [name, value ? 'yes' : 'no']
  if (typeof value === 'string')
    return [name, key === 'provider' ? providerName(value) : (words[key]?.[value] ?? withUnits(dated(value)))]
  if (key === 'replica_factor') return [name, more(value)]
  return [name, unit === undefined ? round(value) : unit[1](value)]
}
