import { count } from '../../count.ts'
import { passed } from '../checks.ts'
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
  title: 'CPU that nobody can use because memory is taken, or the reverse',
  shortName: 'Fragmented nodes',
  description:
    'A pool in which one resource is nearly all requested, and the other less than half, pays for what no pod can get. Machines of another shape, or requests that fit the shape, would use it.',
  trigger: 'Four fifths of one resource of a pool are requested and less than half of the other.',
  saving:
    'What lies between the two shares of the emptier resource, at its price. 0 can be banked before machines change.',
  guards: [
    'Pools of one node are left out.',
    'Nodes that can go as they are or with other open advice, and nodes that nobody may empty, are not counted. Where all are kept by a mark, a budget, a bare pod or local data it is withheld.',
    'Without a price for its resources it is withheld.',
  ],
  needs: ['nodes'],
  isAboutMoney: true,
  countsAfter: { scope: 'target', rules: [nodeInstanceTypeMismatch, oldGenerationInstance], keeps: 'rest' },
  judge: (facts) => facts.pools.filter(({ nodes }) => nodes > 1).flatMap((pool) => judge(pool, facts.nodes)),
}

function judge(
  { name, nodes, allocatable, requested, price, usdPerMonth }: PoolFacts,
  all: readonly NodeFacts[],
): Verdict[] {
  const cpu = requested.cpuMillicores / Math.max(1, allocatable.cpuMillicores)
  const memory = requested.memoryKib / Math.max(1, allocatable.memoryKib)
  const [full, empty] = [Math.max(cpu, memory), Math.min(cpu, memory)]
  if (full < FULL_SHARE || empty >= EMPTY_SHARE) return []
  const target = poolTarget(name)
  if (price === null) return [noPrice(target, `CPU and memory of the pool ${name}`)]
  const own = all.filter(({ pool }) => pool === name)
  const held = own.filter(isHeld)
  const machines = own.filter(isReplaceable)
  if (held.length > 0 && machines.length === 0) return [allHeld(target, held)]
  const isCpuStranded = cpu < memory
  const stranded = Math.min(1, full) - empty
  const wholeUsd = isCpuStranded
    ? stranded * allocatable.cpuMillicores * price.cpuUsdPerMillicoreMonth
    : stranded * allocatable.memoryKib * price.memoryUsdPerKibMonth
  // Machines of another shape come only in the place of those that may be emptied.
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
      title: `Pool ${name} runs out of ${fullOf} and pays for ${emptyOf} that nobody can get`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Use machines with less ${emptyOf} for the same ${fullOf} in the pool ${name}, or ask for less ${fullOf}.${besidesHeld(held)}`,
        fields: [],
      },
      machines: machines.map((node) => node.name),
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      confidence: 'medium',
      basis: `${emptyOf} ${nodes}`,
      checks: [
        passed('The pool has more than one node', count(nodes, 'node')),
        passed(`At least ${percent(FULL_SHARE)} % of ${fullOf} are requested`, `${percent(full)} %`),
        passed(`Less than ${percent(EMPTY_SHARE)} % of ${emptyOf} are`, `${percent(empty)} %`),
        heldCheck(held),
      ],
      prices: nodeRows(own),
      savingLines: resourceLines('that nobody can get', amount, { ...price, rows: nodeRows(own) }),
      because: `${percent(full)} % of its ${fullOf} and ${percent(empty)} % of its ${emptyOf} are requested.`,
      caveats: ['It is judged by the pods of one moment.', 'Right-sizing may move the shares by itself.'],
      facts: {
        nodes,
        cpu_requested_percent: percent(cpu),
        memory_requested_percent: percent(memory),
        stranded_usd_per_month: dollars(usd),
      },
    }),
  ]
}

const percent = (share: number) => Math.round(share * 100)
