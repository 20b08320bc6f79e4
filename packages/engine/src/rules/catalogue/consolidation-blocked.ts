import { passed } from '../checks.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import type { Verdict } from '../finding.ts'
import { FIRST_DAY_GUARD, firstDayCheck, withholdFirstDay } from '../facts/first-day.ts'
import type { NodeBlocker, NodeFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, nodeTarget, noPrice } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { nodeLines, nodeRows } from '../savings/saving-lines.ts'

export const consolidationBlocked: Rule = {
  id: 'consolidation_blocked',
  category: 'node',
  title: 'Nodes that a budget or a mark keeps',
  shortName: 'Removal blocked',
  description:
    'Everything on this node would fit elsewhere, but a disruption budget, a mark or a pod without a controller forbids to move it. That one thing is named, with what it costs.',
  trigger:
    'Once all open advice is followed, the node could be emptied were it not for a budget, a mark, a bare pod or local data.',
  saving: 'The price of the node. Nodes are counted together: each is named only if it can go beside the others.',
  guards: [
    'What the pool’s scaler does not do anyway (minimum, threshold) is no blocker that can be lifted.',
    'A node that goes without lifting anything is not counted here.',
    FIRST_DAY_GUARD,
    'A node without a price is withheld.',
  ],
  needs: ['nodes', 'placement', 'node_blockers'],
  isAboutMoney: true,
  liftsBlockers: true,
  judge: (facts) => facts.nodes.flatMap((node) => judge(facts, node)),
}

function judge(facts: ClusterFacts, node: NodeFacts): Verdict[] {
  const { name, pool, blocker, usdPerMonth } = node
  if (blocker === null) return []
  const target = nodeTarget(name)
  if (usdPerMonth === null) return [noPrice(target, `a node of the type '${node.instanceType}'`)]
  const tooEarly = withholdFirstDay(facts, target)
  if (tooEarly) return [tooEarly]
  return [
    aboutObject({
      target,
      title: `${keeperOf(blocker)} keeps node ${name}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `${blocker.why} ${wayOut(blocker)}, and ${name} can go.${outcomeOf(blocker)}`,
        fields: [],
      },
      estimatedUsdPerMonth: usdPerMonth,
      bankableUsdPerMonth: usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'high',
      confidence: 'medium',
      basis: `${blocker.code} ${blocker.why}`,
      checks: [
        firstDayCheck(facts),
        passed('Its pods fit elsewhere once that is lifted', 'every one of them was placed'),
        passed('It does not go anyway', blocker.why),
        passed('Its pool may become smaller', 'its scaler would remove it'),
      ],
      prices: nodeRows([node]),
      savingLines: nodeLines([node]),
      because: 'With it lifted, every pod of the node was placed elsewhere.',
      caveats: ['Whoever wrote it had a reason: ask before it is lifted.', 'Something else may keep the node as well.'],
      facts: { pool, instance_type: node.instanceType, blocker: blocker.code, usd_per_month: dollars(usdPerMonth) },
    }),
  ]
}

const KEEPERS: Readonly<Record<string, string>> = {
  'node-marked': 'An annotation of its own',
  'pod-marked': 'An annotation of a pod',
  'bare-pod': 'A pod without a controller',
  'local-storage': 'A pod with data on its disk',
  'system-pod': 'A system pod without a disruption budget',
  'disruption-budget': 'A disruption budget',
  'several-budgets': 'A pod in several disruption budgets',
}

const keeperOf = ({ code }: NodeBlocker) => KEEPERS[code] ?? 'One thing'

/** A budget that allows nothing today is seldom meant to allow nothing ever: the safe ways come first. */
const WAYS_OUT: Readonly<Record<string, string>> = {
  'disruption-budget': 'Run one replica more, or let the budget allow one to be away (maxUnavailable: 1)',
  'several-budgets': 'Leave one budget to each pod',
  'bare-pod': 'Let a controller own it',
  'system-pod': 'Give it a disruption budget that allows one to be away',
}

const wayOut = ({ code }: NodeBlocker) => WAYS_OUT[code] ?? 'Lift that'

/** What it costs in safety, where pods that were apart come together. */
function outcomeOf({ left }: NodeBlocker): string {
  if (!left || left.pods < 2 || (left.nodes > 1 && left.zones !== 1)) return ''
  return ` As many as there are now, all ${left.pods} pods of it would then run ${left.nodes === 1 ? 'on one node' : 'in one zone'}.`
}
