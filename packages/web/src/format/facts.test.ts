import { expect, test } from 'vitest'
import { factWords } from './facts.ts'

test.each<[string, string | number | boolean, [string, string]]>([
  ['memory_max_kib', 3_479_910, ['Memory, largest', '3.32Gi']],
  ['usd_per_month', 654.96, ['It costs', '$655/mo']],
  ['cpu_mean_millicores', 343.8, ['CPU, mean', '344m']],
  ['daemon_cpu_percent', 18.04, ['CPU of its DaemonSets', '18.04 %']],
  ['pods', 10, ['Pods', '10']],
  // What a later rule looks at and nobody has put into words yet is still no raw key.
  ['queue_depth_kib', 2048, ['Queue depth', '2Mi']],
  ['was_seen', true, ['Was seen', 'yes']],
])('%s %s reads %j', (key, value, expected) => {
  expect(factWords(key, value)).toEqual(expected)
})
