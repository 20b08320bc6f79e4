import { dollars } from './money.ts'
import { bytes, cores, fourDigits as round, gibibytes, withUnits } from './quantity.ts'
import { dated } from './time.ts'
import { providerName } from './words.ts'

/** What rules looked at besides, as people say it. What is not here reads as its key does. */
const names: Record<string, string> = {
  above_usd_per_month: 'Above what is usual',
  assets_usd_per_month: 'Its volumes and balancers',
  blocker: 'What keeps it',
  bound_usd_per_month: 'Used as far as it can be',
  busiest: 'The busiest of them',
  cheaper_class: 'A cheaper class',
  cheaper_usd_per_month: 'In the cheaper class',
  claim: 'Claim',
  cpu_floor: 'CPU is never advised below',
  cpu_limit_millicores: 'CPU limit',
  cpu_mean_millicores: 'CPU, mean',
  cpu_periods: 'Periods of its CPU limit',
  cpu_requested_percent: 'CPU asked for',
  cpu_target_percent: 'CPU the autoscaler aims at',
  cpu_use_percent: 'CPU used of it',
  daemon_cpu_percent: 'CPU of its DaemonSets',
  daemon_memory_percent: 'Memory of its DaemonSets',
  days: 'Days looked at',
  days_since_success: 'Days since it last worked',
  days_unmounted: 'Days without a mount',
  days_unused: 'Days without use',
  decision: 'Decided by',
  failures_in_a_row: 'Failures in a row',
  gpu_usd_per_month: 'Its GPUs cost',
  gpus: 'GPUs',
  heap_max_kib: 'Largest heap of the JVM',
  hours_stuck: 'Hours stuck',
  hours_without_endpoints: 'Hours without an endpoint',
  instance_type: 'Machine',
  instance_types: 'Machines',
  max_cpu_millicores: 'CPU, largest',
  memory_decided_by: 'Memory decided by',
  memory_floor: 'Memory is never advised below',
  memory_max_kib: 'Memory, largest',
  memory_request_kib: 'Memory asked for',
  memory_requested_percent: 'Memory asked for',
  names: 'Which',
  needed_cpu_millicores: 'CPU it needs',
  needed_memory_kib: 'Memory it needs',
  off_cpu_millicores: 'CPU off hours',
  office_cpu_millicores: 'CPU in office hours',
  oldest_pod: 'The oldest of them',
  oom_kills: 'Killed for lack of memory',
  pods_moved: 'Pods that would move',
  recommended: 'Advised',
  replica_factor: 'Added for unequal replicas',
  replicas_kept: 'Replicas that stay',
  replicas_min: 'Least replicas',
  requested_percent_max: 'Most that was asked for',
  requested_usd_per_month: 'What it asks for costs',
  restarts_last_day: 'Restarts in the last day',
  scaled_by: 'Scaled by',
  set: 'The other machines',
  set_usd_per_month: 'The other machines cost',
  size_gib: 'Size',
  spot_discount_percent: 'Spot costs less by',
  stranded_usd_per_month: 'Stranded on the nodes',
  support_ended: 'Support ended',
  surcharge_usd_per_month: 'Surcharge',
  throttled_percent: 'Periods in which it had to wait',
  usd_per_month: 'It costs',
  used_gib: 'Used',
}

const units: readonly [suffix: string, format: (value: number) => string][] = [
  ['_usd_per_month', (value) => `${dollars(value)}/mo`],
  ['usd_per_month', (value) => `${dollars(value)}/mo`],
  ['_millicores', cores],
  ['_kib', (value) => bytes(value * 1024)],
  ['_gib', gibibytes],
  ['_percent', (value) => `${round(value)} %`],
  ['_percent_max', (value) => `${round(value)} %`],
]

/** Why the value is what it is, or what stands in the way, in the words of programs. */
const words: Record<string, Record<string, string>> = {
  memory_decided_by: {
    rule: 'its use, with head-room',
    oom_kill: 'a kill for lack of memory',
    floor: 'the least that is advised',
    step: 'the step down, 30 % at most',
  },
  blocker: {
    'node-marked': 'a mark on the node',
    'pool-minimum': 'the least nodes of its pool',
    'above-threshold': 'it is used too much',
    'only-empty-nodes': 'its pool removes empty nodes only',
    'pod-marked': 'a mark on a pod',
    'bare-pod': 'a pod that nobody would start again',
    'local-storage': 'a pod with files on the node',
    'system-pod': 'a pod of the system',
    'disruption-budget': 'a disruption budget',
    'several-budgets': 'a pod with several disruption budgets',
    'pod-does-not-fit': 'a pod that fits nowhere else',
    'pod-may-not-fit': 'a pod that may find no other node',
  },
}

/** A factor is the share by which it makes more of something. */
const more = (factor: number) => (factor <= 1 ? 'nothing' : `${round((factor - 1) * 100)} %`)

/** `memory_max_kib: 3479910` is "Memory, largest: 3.32 GiB". */
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
