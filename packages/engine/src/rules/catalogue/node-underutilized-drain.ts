import { count } from '../../count.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { passed } from '../checks.ts'
import type { Check, Verdict, Withheld } from '../finding.ts'
import { FIRST_DAY_GUARD, firstDayCheck, withholdFirstDay } from '../facts/first-day.ts'
import { poolScaler } from '../facts/pool-scaler.ts'
import type { NodeFacts } from '../facts/object-facts.ts'
import {
  idleByPool,
  listNames,
  nodesToRemove,
  residentsOf,
  SYSTEM_NODES_MIN,
  whyPoolKeepsNodes,
  ZONES_MIN,
} from '../facts/removable-by-hand.ts'
import { aboutObject, dollars, nodeTarget, noPrice, poolTarget } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { nodeLines, nodeRows } from '../savings/saving-lines.ts'

/** For autoscaled pools only: without an autoscaler, upgrades replace nodes and the size of the pool stays. */
const HOURS_OLD_MIN = 6

export const nodeUnderutilizedDrain: Rule = {
  id: 'node_underutilized_drain',
  category: 'node',
  title: 'Remove nodes whose pods fit elsewhere',
  shortName: 'Removable node',
  description: 'According to the scheduler simulation, every pod of the removed nodes fits on the remaining nodes.',
  trigger: 'With the current requests, a node can be drained together with all other nodes that this rule names.',
  saving:
    'The price of the node. A pool without a node autoscaler gets one recommendation for all its removable nodes. Its bankable savings take all other open recommendations into account.',
  guards: [
    'The simulation respects requests, taints, affinity, topology spread, volume zones, host ports and pod limits.',
    'The simulation also respects CSI volume limits, PodDisruptionBudgets and annotations.',
    'The minimum size of the pool and the utilization threshold of the cluster-autoscaler are respected.',
    'The simulation uses the peak pod count of the last day. For jobs and autoscaled workloads, it uses the last month.',
    FIRST_DAY_GUARD,
    `In autoscaled pools, nodes younger than ${HOURS_OLD_MIN} hours are withheld.`,
    'Nodes without a price are withheld.',
    'Nodes covered by a commitment are skipped, because removing them saves nothing.',
    'One node of a pool without a node autoscaler stays: some providers do not allow empty pools.',
    `At least ${SYSTEM_NODES_MIN} nodes stay in pools with system workloads, and ${ZONES_MIN} zones in pools with multi-zone workloads. Otherwise withheld.`,
  ],
  needs: ['nodes', 'placement'],
  isAboutMoney: true,
  inPlan: { role: 'drain', verb: 'Drain', noun: ['node', 'nodes'] },
  judge: (facts) => [
    ...facts.nodes.flatMap((node) => judge(facts, node)),
    ...[...idleByPool(facts)].flatMap(([pool, idle]) => judgePool(facts, pool, idle)),
  ],
}

function judge(facts: ClusterFacts, node: NodeFacts): Verdict[] {
  const { name, pool, fate, usdPerMonth, instanceType } = node
  if (fate?.kind !== 'free') return []
  const target = nodeTarget(name)
  if (usdPerMonth === null) return [noPrice(target, `a node of type '${instanceType}'`)]
  const hours = Math.floor((facts.observedAt - node.bornAt) / 3600)
  if (hours < HOURS_OLD_MIN) {
    const detail = `The node is ${count(hours, 'hour')} old.`
    return [
      {
        kind: 'withheld',
        target,
        reason: 'too_fresh',
        detail,
        unlock: `Wait until the node is ${HOURS_OLD_MIN} hours old.`,
      },
    ]
  }
  const unknown = withholdFirstDay(facts, target)
  if (unknown) return [unknown]
  return [
    aboutObject({
      target,
      title: `Remove node ${name}: its pods fit on other nodes`,
      change: {
        action: 'delete',
        object: target,
        summary: `Drain node ${name}. The node autoscaler then removes it from pool ${pool}.`,
        fields: [],
      },
      action: { kind: 'remove_nodes', nodes: [name], pool, scaler: poolScaler(facts, pool) },
      estimatedUsdPerMonth: usdPerMonth,
      bankableUsdPerMonth: usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      riskReasons: ['Pods restart once on other nodes'],
      confidence: 'high',
      basis: `${pool} ${instanceType}`,
      checks: [
        passed(`Older than ${HOURS_OLD_MIN} hours`, count(hours, 'hour')),
        ...commonChecks(facts, count(fate.podsMoved, 'pod was', 'pods were') + ' placed'),
        passed('Pool size', 'the node autoscaler removes the node'),
      ],
      prices: nodeRows([node]),
      savingLines: nodeLines([node]),
      because: 'The scheduler simulation placed every pod of the node on other nodes.',
      caveats: [RARE_PEAK, 'If the node stays, check whether consolidation is enabled for the pool.'],
      facts: {
        pool,
        instance_type: instanceType,
        usd_per_month: dollars(usdPerMonth),
        pods_moved: fate.podsMoved,
      },
    }),
  ]
}

function judgePool(facts: ClusterFacts, pool: string, idle: readonly NodeFacts[]): Verdict[] {
  const target = poolTarget(pool)
  const all = facts.nodes.filter((node) => node.pool === pool)
  const nodes = nodesToRemove(facts, pool, idle)
  const [first] = nodes
  if (!first) return [needsItsNodes(facts, pool, idle)]
  const unpriced = nodes.find(({ usdPerMonth }) => usdPerMonth === null)
  if (unpriced) return [noPrice(target, `a node of type '${unpriced.instanceType}'`)]
  const unknown = withholdFirstDay(facts, target)
  if (unknown) return [unknown]
  const usd = nodes.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  const many = count(nodes.length, 'node')
  const names = nodes.map(({ name }) => name).sort()
  return [
    aboutObject({
      target,
      title: `Remove ${many} from pool ${pool} (${listNames(names)}): ${nodes.length === 1 ? 'its' : 'their'} pods fit on the remaining nodes`,
      change: { action: 'reconfigure', object: target, summary: stepsFor(pool, names, all.length), fields: [] },
      action: { kind: 'remove_nodes', nodes: names, pool, scaler: poolScaler(facts, pool) },
      removesNodes: names,
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: usd,
      costUsdPerMonth: usd,
      risk: 'medium',
      riskReasons: ['Pods restart once on other nodes'],
      confidence: 'medium',
      basis: many,
      checks: [
        ...commonChecks(facts, 'placed on the remaining nodes'),
        passed('Not covered by a commitment', 'no commitment is known'),
        passed('System workloads and zone spread', `${count(all.length - nodes.length, 'node stays', 'nodes stay')}`),
      ],
      prices: nodeRows(nodes),
      savingLines: nodeLines(nodes),
      because: `The scheduler simulation placed every pod of ${nodes.length === 1 ? 'the node' : 'these nodes'} on other nodes.`,
      caveats: [
        RARE_PEAK,
        ...(isScalingKnown(facts, pool) ? [] : [UNKNOWN_SCALING]),
        'If you only reduce the size of the node group, the provider may remove another node. It does not respect PodDisruptionBudgets.',
        ...(nodes.length < all.length
          ? []
          : ['This is the only node of the pool. Some providers do not allow empty pools.']),
      ],
      facts: {
        pool,
        pool_size: all.length,
        nodes: names.join(', '),
        instance_types: [...new Set(nodes.map(({ instanceType }) => instanceType))].sort().join(', '),
        usd_per_month: dollars(usd),
        scaled_by: isScalingKnown(facts, pool) ? 'no autoscaler' : 'unknown',
      },
    }),
  ]
}

const UNKNOWN_SCALING =
  'It is unknown whether an autoscaler resizes this pool. If so, answer Yes in Settings → Policies; the autoscaler then removes the nodes.'

const isScalingKnown = ({ pools }: ClusterFacts, pool: string) =>
  pools.find(({ name }) => name === pool)?.scaler !== 'unknown'

/** Names every node, because the reader must remove exactly these. */
function stepsFor(pool: string, names: readonly string[], size: number): string {
  const isOne = names.length === 1
  const [these, them] = isOne ? ['this node', 'it'] : ['these nodes', 'them']
  return `Cordon and drain ${names.join(', ')}. Then remove exactly ${these} from the node group of pool ${pool}, and set its size from ${size} to ${size - names.length}. If you only delete ${these}, the node group replaces ${them}.`
}

function needsItsNodes(facts: ClusterFacts, pool: string, idle: readonly NodeFacts[]): Withheld {
  const isSystem = residentsOf(facts, pool).systemWorkloads.length > 0
  return {
    kind: 'withheld',
    target: poolTarget(pool),
    reason: 'cannot_move',
    detail: `The pods of ${listNames(idle.map(({ name }) => name).sort())} fit elsewhere, but ${whyPoolKeepsNodes(facts, pool)}`,
    unlock: isSystem
      ? 'Add a node to the pool, or move these workloads to another pool.'
      : 'Add a node in a second zone, or move these workloads to another pool.',
  }
}

const RARE_PEAK = 'Peaks less frequent than once a month are not in the data.'

const commonChecks = (facts: ClusterFacts, placed: string): Check[] => [
  firstDayCheck(facts),
  passed('Pods of the busiest hour', placed),
]
