import { count } from '../../count.ts'
import { passed, percent } from '../checks.ts'
import type { Verdict } from '../finding.ts'
import type { NodeFacts, PoolFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, noPrice, poolTarget } from '../object-finding.ts'
import { allHeld, besidesHeld, heldCheck, isHeld, isReplaceable } from '../facts/replaceable-nodes.ts'
import { nodeInstanceTypeMismatch } from './node-instance-type-mismatch.ts'
import { oldGenerationInstance } from './old-generation-instance.ts'
import type { Rule } from '../rule.ts'
import { nodeRows, resourceLines } from '../savings/saving-lines.ts'

const FULL_SHARE = 0.8
const EMPTY_SHARE = 0.5

export const nodeFragmentation: Rule = {
  id: 'node_fragmentation',
  category: 'node',
  title: 'Match instance types to the CPU-to-memory ratio of the pods',
  shortName: 'Fragmented nodes',
  description:
    'The CPU of the pool is nearly fully requested while memory is left over, or vice versa. No pod can use the remainder. Another instance type fits better.',
  trigger: `At least ${percent(FULL_SHARE)} of one resource of a pool and less than ${percent(EMPTY_SHARE)} of the other are requested.`,
  saving:
    '(Requested share of the scarce resource − requested share of the other) × capacity of the other × its price. Bankable savings are 0 until instances change.',
  guards: [
    'Pools of one node are skipped.',
    'Nodes that can be removed, and nodes that cannot be drained, are not counted. Withheld if no node can be drained.',
    'Withheld without a price.',
  ],
  needs: ['nodes'],
  isAboutMoney: true,
  inPlan: {
    role: 'other',
    verb: 'Switch',
    noun: ['node pool to another instance type', 'node pools to other instance types'],
  },
  countsAfter: { scope: 'target', rules: [nodeInstanceTypeMismatch, oldGenerationInstance], keeps: 'rest' },
  judge: (facts) => facts.pools.filter(({ nodes }) => nodes > 1).flatMap((pool) => judge(pool, facts.nodes)),
}

function judge(
  { name, nodes, scaler, allocatable, requested, price, usdPerMonth }: PoolFacts,
  all: readonly NodeFacts[],
): Verdict[] {
  const cpu = requested.cpuMillicores / Math.max(1, allocatable.cpuMillicores)
  const memory = requested.memoryKib / Math.max(1, allocatable.memoryKib)
  const [full, empty] = [Math.max(cpu, memory), Math.min(cpu, memory)]
  if (full < FULL_SHARE || empty >= EMPTY_SHARE) return []
  const target = poolTarget(name)
  if (price === null) return [noPrice(target, `CPU and memory of pool ${name}`)]
  const own = all.filter(({ pool }) => pool === name)
  const held = own.filter(isHeld)
  const machines = own.filter(isReplaceable)
  if (held.length > 0 && machines.length === 0) return [allHeld(target, held)]
  const isCpuStranded = cpu < memory
  const stranded = Math.min(1, full) - empty
  const wholeUsd = isCpuStranded
    ? stranded * allocatable.cpuMillicores * price.cpuUsdPerMillicoreMonth
    : stranded * allocatable.memoryKib * price.memoryUsdPerKibMonth
  // Only nodes that can be drained can be replaced.
  const part = own.length === 0 ? 1 : machines.length / own.length
  const usd = wholeUsd * part
  const amount = {
    cpuMillicores: isCpuStranded ? part * stranded * allocatable.cpuMillicores : 0,
    memoryKib: isCpuStranded ? 0 : part * stranded * allocatable.memoryKib,
  }
  const [fullOf, emptyOf] = isCpuStranded ? ['memory', 'CPU'] : ['CPU', 'memory']
  return [
    aboutObject({
      target,
      title: `Switch pool ${name} to instances with less ${emptyOf}: ${percent(full)} of ${fullOf} but ${percent(empty)} of ${emptyOf} is requested`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `In pool ${name}, use instances with less ${emptyOf} for the same ${fullOf}, or lower ${fullOf} requests.${besidesHeld(held)}`,
        fields: [],
      },
      action: {
        kind: 'replace_machines',
        pool: name,
        scaler,
        from: [...new Set(machines.map(({ instanceType }) => instanceType))].sort(),
        to: [],
        nodesStaying: own.length - machines.length,
      },
      machines: machines.map((node) => node.name),
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      riskReasons: ['All pods of the pool move to new nodes'],
      confidence: 'medium',
      basis: `${emptyOf} ${nodes}`,
      checks: [
        passed('The pool has more than one node', count(nodes, 'node')),
        passed(`At least ${percent(FULL_SHARE)} of ${fullOf} is requested`, percent(full)),
        passed(`Less than ${percent(EMPTY_SHARE)} of ${emptyOf} is requested`, percent(empty)),
        heldCheck(held),
      ],
      prices: nodeRows(own),
      savingLines: resourceLines('that pods cannot use', amount, { ...price, rows: nodeRows(own) }),
      because: `${percent(full)} of the ${fullOf} and ${percent(empty)} of the ${emptyOf} of the pool are requested.`,
      caveats: ['The shares come from one snapshot. Right-sizing and scaling change them.'],
      facts: {
        nodes,
        cpu_requested_percent: percent(cpu),
        memory_requested_percent: percent(memory),
        stranded_usd_per_month: dollars(usd),
      },
    }),
  ]
}
