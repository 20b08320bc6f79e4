import { count } from '../../count.ts'
import { passed, percent } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NodeFacts, PoolFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, noPrice, poolTarget } from '../object-finding.ts'
import { nodeInstanceTypeMismatch } from './node-instance-type-mismatch.ts'
import { oldGenerationInstance } from './old-generation-instance.ts'
import { nodeFragmentation } from './node-fragmentation.ts'
import type { Rule } from '../rule.ts'
import { nodeRows, resourceLines } from '../savings/saving-lines.ts'

const SHARE_MAX = 0.15

export const daemonsetOverhead: Rule = {
  id: 'daemonset_overhead',
  category: 'node',
  title: 'Reduce DaemonSet overhead of node pools',
  shortName: 'DaemonSet overhead',
  description:
    'Each node runs one pod of each DaemonSet. On small nodes, these pods take a large share of the capacity. Use fewer, larger nodes or smaller requests.',
  trigger: `DaemonSets request more than ${percent(SHARE_MAX)} of the CPU or memory of a node pool.`,
  saving: `The part above ${percent(SHARE_MAX)}, valued at node prices. Bankable savings are 0 until nodes are removed.`,
  guards: ['Pools of one node are skipped.', 'The rule never raises requests.', 'Withheld without a price.'],
  needs: ['nodes'],
  isAboutMoney: true,
  inPlan: { role: 'other', verb: 'Reduce the DaemonSets of', noun: ['node pool', 'node pools'] },
  countsAfter: {
    scope: 'target',
    rules: [nodeInstanceTypeMismatch, oldGenerationInstance, nodeFragmentation],
    keeps: 'rest',
  },
  judge: (facts) => facts.pools.filter(({ nodes }) => nodes > 1).flatMap((pool) => judge(pool, facts.nodes)),
}

function judge(
  { name, nodes, scaler, allocatable, daemons, price, usdPerMonth }: PoolFacts,
  all: readonly NodeFacts[],
): Verdict[] {
  const cpuAbove = daemons.cpuMillicores - SHARE_MAX * allocatable.cpuMillicores
  const memoryAbove = daemons.memoryKib - SHARE_MAX * allocatable.memoryKib
  if (cpuAbove <= 0 && memoryAbove <= 0) return []
  const target = poolTarget(name)
  if (price === null) return [noPrice(target, `CPU and memory of pool ${name}`)]
  const above = { cpuMillicores: Math.max(0, cpuAbove), memoryKib: Math.max(0, memoryAbove) }
  const usd = above.cpuMillicores * price.cpuUsdPerMillicoreMonth + above.memoryKib * price.memoryUsdPerKibMonth
  const cpu = Math.round((100 * daemons.cpuMillicores) / Math.max(1, allocatable.cpuMillicores))
  const memory = Math.round((100 * daemons.memoryKib) / Math.max(1, allocatable.memoryKib))
  return [
    aboutObject({
      target,
      title: `Reduce DaemonSet overhead in pool ${name}: DaemonSets request ${Math.max(cpu, memory)} % of the ${cpu >= memory ? 'CPU' : 'memory'}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Use fewer, larger nodes in pool ${name}, or lower the requests of its DaemonSets.`,
        fields: [],
      },
      action: { kind: 'shrink_daemonsets', pool: name, scaler },
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: usdPerMonth,
      risk: 'low',
      confidence: 'high',
      basis: `${nodes} ${cpu} ${memory}`,
      checks: [
        passed('The pool has more than one node', count(nodes, 'node')),
        passed(`DaemonSets request more than ${percent(SHARE_MAX)}`, `${cpu} % of CPU, ${memory} % of memory`),
      ],
      prices: nodeRows(all.filter(({ pool }) => pool === name)),
      savingLines: resourceLines(`requests of DaemonSets above ${percent(SHARE_MAX)} of the pool`, above, price),
      because: `DaemonSets request ${cpu} % of the CPU and ${memory} % of the memory of the pool.`,
      caveats: ['A failure of a larger node affects more pods.'],
      facts: { nodes, daemon_cpu_percent: cpu, daemon_memory_percent: memory, above_usd_per_month: dollars(usd) },
    }),
  ]
}
