import { poolScaler } from '../facts/pool-scaler.ts'
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
  title: 'Unblock nodes that could be removed',
  shortName: 'Removal blocked',
  description: 'All pods of the node fit on other nodes, but one blocker prevents the drain.',
  trigger:
    'With all open recommendations applied, only one blocker prevents the drain. Blockers: PodDisruptionBudget, annotation, pod without a controller, local storage.',
  saving: 'The price of the node. Savings of several nodes are added only if the nodes can be removed together.',
  guards: [
    'Limits of the node autoscaler (minimum size, utilization threshold) do not count as blockers.',
    'Nodes without a blocker are not counted here.',
    FIRST_DAY_GUARD,
    'Nodes without a price are withheld.',
  ],
  needs: ['nodes', 'placement', 'node_blockers'],
  isAboutMoney: true,
  inPlan: { role: 'unblock', verb: 'Unblock', noun: ['node', 'nodes'] },
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
      title: `Unblock node ${name}: ${blockerNoun(blocker)}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `${blocker.why} ${wayOut(blocker)}. Then node ${name} can be removed.${outcomeOf(blocker)}`,
        fields: [],
      },
      action: {
        kind: 'unblock_node',
        node: name,
        pool,
        scaler: poolScaler(facts, pool),
        blocker: blocker.code,
        objects: blocker.objects ?? {},
      },
      estimatedUsdPerMonth: usdPerMonth,
      bankableUsdPerMonth: usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'high',
      riskReasons: ['The blocker may be intentional'],
      confidence: 'medium',
      basis: blocker.basis,
      checks: [
        firstDayCheck(facts),
        passed('Without the blocker', 'all pods fit on other nodes'),
        passed('Blocker', blocker.why),
        passed('Pool size', 'the node autoscaler removes the node'),
      ],
      prices: nodeRows([node]),
      savingLines: nodeLines([node]),
      because: 'Without the blocker, the scheduler simulation placed every pod of the node elsewhere.',
      caveats: ['The blocker may be intentional. Ask its owner first.', 'Another blocker may remain.'],
      facts: { pool, instance_type: node.instanceType, blocker: blocker.code, usd_per_month: dollars(usdPerMonth) },
    }),
  ]
}

const BLOCKERS: Readonly<Record<string, string>> = {
  'node-marked': 'an annotation on the node',
  'pod-marked': 'an annotation on a pod',
  'bare-pod': 'a pod without a controller',
  'local-storage': 'local storage of a pod',
  'system-pod': 'a system pod without a PodDisruptionBudget',
  'disruption-budget': 'a PodDisruptionBudget allows no disruption',
  'several-budgets': 'several PodDisruptionBudgets match one pod',
}

const blockerNoun = ({ code }: NodeBlocker) => BLOCKERS[code] ?? 'one blocker'

/**
 * A PodDisruptionBudget without allowed disruptions is seldom meant to block every drain: the safe options come first.
 */
const WAYS_OUT: Readonly<Record<string, string>> = {
  'disruption-budget': 'Add one replica, or set maxUnavailable: 1 in the PodDisruptionBudget',
  'several-budgets': 'Keep one PodDisruptionBudget per pod',
  'bare-pod': 'Replace the pod with a Deployment or another controller',
  'system-pod': 'Add a PodDisruptionBudget that allows one disruption',
}

const wayOut = ({ code }: NodeBlocker) => WAYS_OUT[code] ?? 'Remove the blocker'

/** Pods on separate nodes may end up on one node. */
function outcomeOf({ left }: NodeBlocker): string {
  if (!left || left.pods < 2 || (left.nodes > 1 && left.zones !== 1)) return ''
  return ` ${left.pods === 2 ? 'Both' : `All ${left.pods}`} pods of the workload then run ${left.nodes === 1 ? 'on one node' : 'in one zone'}.`
}
