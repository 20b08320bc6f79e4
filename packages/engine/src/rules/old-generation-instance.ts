import { count } from '../count.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { groupBy } from '../group-by.ts'
import { passed } from './checks.ts'
import type { Verdict } from './finding.ts'
import type { NodeFacts } from './object-facts.ts'
import { aboutObject, dollars, poolTarget } from './object-rule.ts'
import type { Rule } from './rule.ts'

export const oldGenerationInstance: Rule = {
  id: 'old_generation_instance',
  category: 'node',
  title: 'Machines of an old generation',
  description:
    'The same size of a later generation costs less and is faster. Nothing about the pods changes but the machine under them.',
  trigger: 'A node is of a type whose successor, of the same size and architecture, has a lower list price.',
  saving: 'The difference of the prices, over all such nodes of the pool. 0 can be banked before the machines change.',
  guards: [
    'Only successors with a price in the same region.',
    'Spot nodes are left out: their prices follow from what is free.',
    'Nodes that can go altogether are left out.',
  ],
  needs: ['nodes'],
  isAboutMoney: true,
  judge: (facts) => [...pools(facts)].flatMap(([pool, nodes]) => judge(pool, nodes)),
}

function pools({ nodes }: ClusterFacts): Map<string, NodeFacts[]> {
  const isStaying = ({ fate }: NodeFacts) => fate?.kind !== 'free' && fate?.kind !== 'by_hand'
  const old = nodes.filter((node) => node.successor && !node.isSpot && isStaying(node))
  return groupBy(old, ({ pool }) => pool)
}

function judge(pool: string, nodes: readonly NodeFacts[]): Verdict[] {
  const [first] = nodes
  if (!first) return []
  const saving = nodes.reduce(
    (sum, { usdPerMonth, successor }) => sum + Math.max(0, (usdPerMonth ?? 0) - (successor?.usdPerMonth ?? Infinity)),
    0,
  )
  if (saving <= 0) return []
  const cost = nodes.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  const target = poolTarget(pool)
  const from = [...new Set(nodes.map(({ instanceType }) => instanceType))].sort().join(', ')
  const to = [...new Set(nodes.map(({ successor }) => successor?.instanceType ?? ''))].sort().join(', ')
  return [
    aboutObject({
      target,
      title: `Pool ${pool} runs on machines of an old generation`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Use ${to} instead of ${from} in the pool ${pool}.`,
        fields: [{ path: 'instance type', from, to }],
      },
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: cost,
      risk: 'low',
      confidence: 'high',
      basis: `${from} ${nodes.length}`,
      checks: [
        passed('The successor has a price in this region', to),
        passed('They are not spot, and none of them can go altogether', count(nodes.length, 'node')),
      ],
      because: `${count(nodes.length, 'node has', 'nodes have')} a cheaper successor of the same size.`,
      caveats: ['The account’s quota for the new family has to be large enough.'],
      facts: { nodes: nodes.length, instance_types: from, successors: to, usd_per_month: dollars(cost) },
    }),
  ]
}
