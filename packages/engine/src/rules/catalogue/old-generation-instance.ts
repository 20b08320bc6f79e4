import { count } from '../../count.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { groupBy } from '../../group-by.ts'
import { passed } from '../checks.ts'
import type { SavingLine, Verdict } from '../finding.ts'
import type { NodeFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, poolTarget } from '../object-finding.ts'
import { allHeld, besidesHeld, heldCheck, isGoing, isHeld } from '../facts/replaceable-nodes.ts'
import { nodeInstanceTypeMismatch } from './node-instance-type-mismatch.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice, nodeLines, nodeRows } from '../savings/saving-lines.ts'

export const oldGenerationInstance: Rule = {
  id: 'old_generation_instance',
  category: 'node',
  title: 'Machines of an old generation',
  shortName: 'Old generation',
  description:
    'The same size of a later generation costs less and is faster. Nothing about the pods changes but the machine under them.',
  trigger: 'A node is of a type whose successor, of the same size and architecture, has a lower list price.',
  saving: 'The difference of the prices, over all such nodes of the pool. 0 can be banked before the machines change.',
  guards: [
    'Only successors with a price in the same region.',
    'Spot nodes are left out: their prices follow from what is free.',
    'Nodes that can go altogether are left out.',
    'A node that a mark, a budget, a bare pod or local data keeps from being emptied stays, and is named. Where all are kept it is withheld.',
  ],
  needs: ['nodes'],
  isAboutMoney: true,
  countsAfter: { scope: 'target', rules: [nodeInstanceTypeMismatch], keeps: 'share' },
  judge: (facts) => [...pools(facts)].flatMap(([pool, nodes]) => judge(pool, nodes)),
}

function pools({ nodes }: ClusterFacts): Map<string, NodeFacts[]> {
  const old = nodes.filter((node) => node.successor && !node.isSpot && !isGoing(node) && savingOf(node) > 0)
  return groupBy(old, ({ pool }) => pool)
}

const savingOf = ({ usdPerMonth, successor }: NodeFacts) =>
  Math.max(0, (usdPerMonth ?? 0) - (successor?.usdPerMonth ?? Infinity))

function judge(pool: string, old: readonly NodeFacts[]): Verdict[] {
  const target = poolTarget(pool)
  const held = old.filter(isHeld)
  const nodes = old.filter((node) => !isHeld(node))
  if (nodes.length === 0) return [allHeld(target, held)]
  const saving = nodes.reduce((sum, node) => sum + savingOf(node), 0)
  const cost = nodes.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  const from = [...new Set(nodes.map(({ instanceType }) => instanceType))].sort().join(', ')
  const to = [...new Set(nodes.map(({ successor }) => successor?.instanceType ?? ''))].sort().join(', ')
  return [
    aboutObject({
      target,
      title: `Pool ${pool} runs on machines of an old generation`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Use ${to} instead of ${from} in the pool ${pool}.${besidesHeld(held)}`,
        fields: [{ path: 'instance type', from, to }],
      },
      machines: nodes.map(({ name }) => name),
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: cost,
      risk: 'low',
      confidence: 'high',
      basis: `${from} ${nodes.length}`,
      checks: [
        passed('The successor has a price in this region', to),
        passed('They are not spot, and none of them can go altogether', count(nodes.length, 'node')),
        heldCheck(held),
      ],
      prices: nodeRows(nodes),
      savingLines: [...nodeLines(nodes), ...successorLines(nodes)],
      because: `${count(nodes.length, 'node has', 'nodes have')} a cheaper successor of the same size.`,
      caveats: ['The account’s quota for the new family has to be large enough.'],
      facts: { nodes: nodes.length, instance_types: from, successors: to, usd_per_month: dollars(cost) },
    }),
  ]
}

/** What is paid instead, those that cost the same in one line. */
function successorLines(nodes: readonly NodeFacts[]): SavingLine[] {
  const named = nodes.flatMap(({ successor }) => successor ?? [])
  const alike = groupBy(named, ({ instanceType, usdPerMonth }) => `${instanceType} ${usdPerMonth}`)
  return [...alike.values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const price = first.price ?? monthlyPrice(first.usdPerMonth, 'node')
    return [lineOf(`${count(some.length, 'node')} of ${first.instanceType} instead`, -some.length, price)]
  })
}
