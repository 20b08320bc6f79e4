import type { ClusterFacts } from './cluster-facts.ts'
import type { Verdict } from './finding.ts'
import type { NodeFacts } from './object-facts.ts'
import { aboutObject, dollars, nodeTarget, noPrice } from './object-rule.ts'
import type { Rule } from './rule.ts'

const HOURS_OLD_MIN = 6
const HOURS_KNOWN_MIN = 24

export const nodeUnderutilizedDrain: Rule = {
  id: 'node_underutilized_drain',
  category: 'node',
  title: 'Nodes whose pods fit elsewhere',
  description:
    'The scheduler was run again without this node, and every pod of it found a place on the nodes that are there. All nodes that are named can go together.',
  trigger: 'A node can be emptied with the requests as they are, after those that are named before it.',
  saving: 'The price of the node. Where nobody scales the pool, 0 can be banked until somebody removes it by hand.',
  guards: [
    'Requests, taints, affinity, spread, volume zones, host ports, the number of pods, disruption budgets and marks hold.',
    'A pool is not taken below its minimum, nor does the cluster-autoscaler touch nodes above its threshold.',
    'Of each workload there are as many pods as at its busiest: of the last day, and of jobs and what is scaled of the last week.',
    'Before a day of the cluster is known it is withheld.',
    'A node that is younger than six hours is withheld: it came for a reason.',
    'A node without a price is withheld.',
    'A node that is paid for anyway saves nothing and is left out.',
  ],
  needs: ['nodes', 'placement'],
  isAboutMoney: true,
  judge: (facts) => facts.nodes.flatMap((node) => judge(facts, node)),
}

function judge({ observedAt, hoursKnown }: ClusterFacts, node: NodeFacts): Verdict[] {
  const { name, pool, fate, usdPerMonth } = node
  const canGo = fate?.kind === 'free' || (fate?.kind === 'by_hand' && fate.why !== 'committed')
  if (!canGo) return []
  const target = nodeTarget(name)
  if (usdPerMonth === null) return [noPrice(target, `a node of the type '${node.instanceType}'`)]
  const hours = Math.floor((observedAt - node.bornAt) / 3600)
  if (hours < HOURS_OLD_MIN) {
    const detail = `It is ${hours} hours old.`
    return [{ kind: 'withheld', target, reason: 'too_fresh', detail, unlock: 'It is judged when it is six hours old.' }]
  }
  if (hoursKnown < HOURS_KNOWN_MIN) {
    const detail = `${hoursKnown} hours of the last week are known; a busier one may need the room.`
    const unlock = `It is judged when ${HOURS_KNOWN_MIN} hours are known.`
    return [{ kind: 'withheld', target, reason: 'too_little_history', detail, unlock }]
  }
  const isScaled = fate.kind === 'free'
  const byHand = `Drain ${name} and remove it by hand: nobody scales the pool ${pool}.`
  return [
    aboutObject({
      target,
      title: `The pods of node ${name} fit elsewhere`,
      change: {
        action: 'delete',
        object: target,
        summary: isScaled ? `Drain ${name} and let the pool ${pool} shrink by it.` : byHand,
        fields: [],
      },
      estimatedUsdPerMonth: usdPerMonth,
      bankableUsdPerMonth: isScaled ? usdPerMonth : 0,
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      confidence: isScaled ? 'high' : 'medium',
      basis: `${pool} ${node.instanceType}`,
      because: 'Every pod of it was placed on another node, with all filters of the scheduler.',
      caveats: [
        'A peak that is rarer than those of the last week may need the room.',
        ...(isScaled
          ? ['If it stays, look whether consolidation is switched on in the pool.']
          : ['Nothing leaves the bill before somebody removes the machine.']),
      ],
      facts: {
        pool,
        instance_type: node.instanceType,
        usd_per_month: dollars(usdPerMonth),
        ...(fate.kind === 'free' ? { pods_moved: fate.podsMoved } : { scaled_by: 'nobody' }),
      },
    }),
  ]
}
