import { passed } from './checks.ts'
import type { Verdict } from './finding.ts'
import type { NodeFacts } from './object-facts.ts'
import { aboutObject, dollars, nodeTarget, noPrice } from './object-rule.ts'
import type { Rule } from './rule.ts'
import { nodeLines, nodeRows } from './saving-lines.ts'

export const consolidationBlocked: Rule = {
  id: 'consolidation_blocked',
  category: 'node',
  title: 'Nodes that one thing keeps alive',
  description:
    'Everything on this node would fit elsewhere, but a disruption budget, a mark or a pod without a controller forbids to move it. That one thing is named, with what it costs.',
  trigger:
    'Once all open advice is followed, the node could be emptied were it not for a budget, a mark, a bare pod or local data.',
  saving: 'The price of the node. Nodes are counted together: each is named only if it can go beside the others.',
  guards: [
    'What the pool’s scaler does not do anyway (minimum, threshold) is no blocker that can be lifted.',
    'A node that goes without lifting anything is not counted here.',
    'A node without a price is withheld.',
  ],
  needs: ['nodes', 'placement', 'node_blockers'],
  isAboutMoney: true,
  judge: (facts) => facts.nodes.flatMap(judge),
}

function judge(node: NodeFacts): Verdict[] {
  const { name, pool, blocker, usdPerMonth } = node
  if (blocker === null) return []
  const target = nodeTarget(name)
  if (usdPerMonth === null) return [noPrice(target, `a node of the type '${node.instanceType}'`)]
  return [
    aboutObject({
      target,
      title: `One thing keeps node ${name}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `${blocker.why} Lift that, and ${name} can go.`,
        fields: [],
      },
      estimatedUsdPerMonth: usdPerMonth,
      bankableUsdPerMonth: usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'high',
      confidence: 'medium',
      basis: `${blocker.code} ${blocker.why}`,
      checks: [
        passed('Its pods fit elsewhere once that is lifted', 'every one of them was placed'),
        passed('It does not go anyway', `kept by ${blocker.code}`),
        passed('Its pool may become smaller', 'its scaler would remove it'),
      ],
      prices: nodeRows([node]),
      savingLines: nodeLines([node]),
      because: 'With it lifted, every pod of the node was placed elsewhere.',
      caveats: ['Whoever wrote it had a reason: ask before it is lifted.', 'Another one may stand behind it.'],
      facts: { pool, instance_type: node.instanceType, blocker: blocker.code, usd_per_month: dollars(usdPerMonth) },
    }),
  ]
}
