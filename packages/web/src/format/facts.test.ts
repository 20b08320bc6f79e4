import { expect, test } from 'vitest'
import { factWords } from './facts.ts'

test.each<[string, string | number | boolean, [string, string]]>([
  ['memory_max_kib', 3_479_910, ['Memory, maximum', '3.32 GiB']],
  ['usd_per_month', 654.96, ['Cost', '$655/month']],
  ['cpu_mean_millicores', 343.8, ['CPU, mean', '344m']],
  ['daemon_cpu_percent', 18.04, ['CPU of DaemonSets', '18.04 %']],
  ['pods', 10, ['Pods', '10']],
  ['gpus', 1, ['GPUs', '1']],
  ['replica_factor', 1.069, ['CPU margin for uneven replicas', '6.9 %']],
  ['replica_factor', 1, ['CPU margin for uneven replicas', 'nothing']],
  ['memory_decided_by', 'oom_kill', ['Memory request determined by', 'an OOM kill']],
  ['blocker', 'disruption-budget', ['Blocked by', 'a PodDisruptionBudget']],
  ['support_ended', '2026-07-29', ['Support ended', '29 Jul 2026']],
  ['provider', 'aws', ['Provider', 'AWS']],
  // A fact without a label is not shown as a raw key.
  ['queue_depth_kib', 2048, ['Queue depth', '2 MiB']],
  ['memory_floor', '2816Mi by an annotation', ['Minimum memory request', '2.75 GiB by an annotation']],
  ['was_seen', true, ['Was seen', 'yes']],
])('%s %s reads %j', (key, value, expected) => {
  expect(factWords(key, value)).toEqual(expected)
})
