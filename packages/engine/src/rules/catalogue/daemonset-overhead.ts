import { count } from '../../count.ts'
import { passed } from '../checks.ts'
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
  title: 'DaemonSets take a large part of small nodes',
  shortName: 'DaemonSet overhead',
  description:
    'Every node pays for one pod of each DaemonSet. On small nodes that is a large part: fewer and larger ones, or smaller requests of the DaemonSets, leave more for the work.',
  trigger: 'DaemonSets request more than 15 % of the CPU or memory of a pool.',
  saving: 'What lies above 15 %, at the price of the resource. 0 can be banked before nodes go.',
  guards: ['Pools of one node are left out.', 'Requests only ever go down.', 'Without a price it is withheld.'],
  needs: ['nodes'],
  isAboutMoney: true,
  countsAfter: {
    scope: 'target',
    rules: [nodeInstanceTypeMismatch, oldGenerationInstance, nodeFragmentation],
    keeps: 'rest',
  },
  judge: (facts) => facts.pools.filter(({ nodes }) => nodes > 1).flatMap((pool) => judge(pool, facts.nodes)),
}

function judge(
  { name, nodes, allocatable, daemons, price, usdPerMonth }: PoolFacts,
  all: readonly NodeFacts[],
): Verdict[] {
  const cpuAbove = daemons.cpuMillicores - SHARE_MAX * allocatable.cpuMillicores
  const memoryAbove = daemons.memoryKib - SHARE_MAX * allocatable.memoryKib
  if (cpuAbove <= 0 && memoryAbove <= 0) return []
  const target = poolTarget(name)
  if (price === null) return [noPrice(target, `CPU and memory of the pool ${name}`)]
  const above = { cpuMillicores: Math.max(0, cpuAbove), memoryKib: Math.max(0, memoryAbove) }
  const usd = above.cpuMillicores * price.cpuUsdPerMillicoreMonth + above.memoryKib * price.memoryUsdPerKibMonth
  const cpu = Math.round((100 * daemons.cpuMillicores) / Math.max(1, allocatable.cpuMillicores))
  const memory = Math.round((100 * daemons.memoryKib) / Math.max(1, allocatable.memoryKib))
  return [
    aboutObject({
      target,
      title: `DaemonSets take ${Math.max(cpu, memory)} % of pool ${name}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Use fewer and larger nodes in the pool ${name}, or lower what its DaemonSets ask for.`,
        fields: [],
      },
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: usdPerMonth,
      risk: 'low',
      confidence: 'high',
      basis: `${nodes} ${cpu} ${memory}`,
      checks: [
        passed('The pool has more than one node', count(nodes, 'node')),
        passed(`DaemonSets take more than ${100 * SHARE_MAX} %`, `${cpu} % of CPU, ${memory} % of memory`),
      ],
      prices: nodeRows(all.filter(({ pool }) => pool === name)),
      savingLines: resourceLines(`above ${100 * SHARE_MAX} % of the pool`, above, price),
      because: `DaemonSets request ${cpu} % of its CPU and ${memory} % of its memory.`,
      caveats: ['Larger nodes take more pods with them when they fail.'],
      facts: { nodes, daemon_cpu_percent: cpu, daemon_memory_percent: memory, above_usd_per_month: dollars(usd) },
    }),
  ]
}
