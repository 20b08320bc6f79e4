import { count } from '../count.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { groupBy } from '../group-by.ts'
import { passed } from './checks.ts'
import type { Check, Target, Verdict, Withheld } from './finding.ts'
import type { NodeFacts } from './object-facts.ts'
import { aboutObject, dollars, nodeTarget, noPrice, poolTarget } from './object-rule.ts'
import type { Rule } from './rule.ts'
import { nodeLines, nodeRows } from './saving-lines.ts'

/** Where nobody scales the pool, nodes are only replaced: it is as large as before, so their age says nothing. */
const HOURS_OLD_MIN = 6
const HOURS_KNOWN_MIN = 24

export const nodeUnderutilizedDrain: Rule = {
  id: 'node_underutilized_drain',
  category: 'node',
  title: 'Nodes whose pods fit elsewhere',
  description:
    'The scheduler was run again without this node, and every pod of it found a place on the nodes that are there. All nodes that are named can go together.',
  trigger: 'A node can be emptied with the requests as they are, after those that are named before it.',
  saving:
    'The price of the node. Where nobody scales the pool there is one advice for the pool, and 0 can be banked until somebody makes it smaller.',
  guards: [
    'Requests, taints, affinity, spread, volume zones, host ports, the number of pods, disruption budgets and marks hold.',
    'A pool is not taken below its minimum, nor does the cluster-autoscaler touch nodes above its threshold.',
    'Of each workload there are as many pods as at its busiest: of the last day, and of jobs and what is scaled of the last month.',
    'Before a day of the cluster is known it is withheld.',
    'Where something scales the pool, a node that is younger than six hours is withheld: it came for a reason.',
    'A node without a price is withheld.',
    'A node that is paid for anyway saves nothing and is left out.',
    'Of several nodes of a pool that nobody scales one stays: providers refuse to empty some pools.',
  ],
  needs: ['nodes', 'placement'],
  isAboutMoney: true,
  judge: (facts) => [
    ...facts.nodes.flatMap((node) => judge(facts, node)),
    ...[...idleByPool(facts)].flatMap(([pool, idle]) => judgePool(facts, pool, idle)),
  ],
}

/** Nobody takes them away, so names of nodes come and go with every upgrade; how many are too many stays. */
function idleByPool({ nodes }: ClusterFacts): Map<string, NodeFacts[]> {
  const idle = nodes.filter(({ fate }) => fate?.kind === 'by_hand' && fate.why !== 'committed')
  return groupBy(idle, ({ pool }) => pool)
}

function judge(facts: ClusterFacts, node: NodeFacts): Verdict[] {
  const { name, pool, fate, usdPerMonth, instanceType } = node
  if (fate?.kind !== 'free') return []
  const target = nodeTarget(name)
  if (usdPerMonth === null) return [noPrice(target, `a node of the type '${instanceType}'`)]
  const hours = Math.floor((facts.observedAt - node.bornAt) / 3600)
  if (hours < HOURS_OLD_MIN) {
    const detail = `It is ${count(hours, 'hour')} old.`
    return [{ kind: 'withheld', target, reason: 'too_fresh', detail, unlock: 'It is judged when it is six hours old.' }]
  }
  const unknown = tooEarly(facts, target)
  if (unknown) return [unknown]
  return [
    aboutObject({
      target,
      title: `The pods of node ${name} fit elsewhere`,
      change: {
        action: 'delete',
        object: target,
        summary: `Drain ${name} and let the pool ${pool} shrink by it.`,
        fields: [],
      },
      estimatedUsdPerMonth: usdPerMonth,
      bankableUsdPerMonth: usdPerMonth,
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      confidence: 'high',
      basis: `${pool} ${instanceType}`,
      checks: [
        passed(`Older than ${HOURS_OLD_MIN} hours`, count(hours, 'hour')),
        ...commonChecks(facts, count(fate.podsMoved, 'pod was', 'pods were') + ' placed'),
        passed('The pool may become smaller', 'its scaler would remove the node'),
      ],
      prices: nodeRows([node]),
      savingLines: nodeLines([node]),
      because: 'Every pod of it was placed on another node, with all filters of the scheduler.',
      caveats: [RARE_PEAK, 'If it stays, look whether consolidation is switched on in the pool.'],
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
  const size = facts.nodes.filter((node) => node.pool === pool).length
  const nodes = withOneLeft(idle, size)
  const unpriced = nodes.find(({ usdPerMonth }) => usdPerMonth === null)
  if (unpriced) return [noPrice(target, `a node of the type '${unpriced.instanceType}'`)]
  const unknown = tooEarly(facts, target)
  if (unknown) return [unknown]
  const usd = nodes.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  const many = count(nodes.length, 'node')
  return [
    aboutObject({
      target,
      title: `Pool ${pool} has ${many} more than its pods need`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Lower the size of the node group of pool ${pool} from ${size} to ${size - nodes.length}: nothing scales it by itself, and a node that is only deleted would be brought back.`,
        fields: [],
      },
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: 0,
      costUsdPerMonth: usd,
      risk: 'medium',
      confidence: 'medium',
      basis: many,
      checks: [
        ...commonChecks(facts, 'on the nodes that stay'),
        passed('Not paid for whether they run or not', 'no commitment is known'),
      ],
      prices: nodeRows(nodes),
      savingLines: nodeLines(nodes),
      because: `Every pod of ${nodes.length === 1 ? 'it' : 'them'} was placed on another node, with all filters of the scheduler.`,
      caveats: [
        RARE_PEAK,
        'Nothing leaves the bill before somebody lowers the size of the group.',
        ...(nodes.length < size ? [] : ['It is the only node of its pool: some pools cannot be empty.']),
      ],
      facts: {
        pool,
        pool_size: size,
        nodes: nodes
          .map(({ name }) => name)
          .sort()
          .join(', '),
        instance_types: [...new Set(nodes.map(({ instanceType }) => instanceType))].sort().join(', '),
        usd_per_month: dollars(usd),
        scaled_by: 'nobody',
      },
    }),
  ]
}

/** All of them but the dearest, where they are the whole pool. */
function withOneLeft(idle: readonly NodeFacts[], size: number): readonly NodeFacts[] {
  if (idle.length < size || size === 1) return idle
  return idle.toSorted((a, b) => (a.usdPerMonth ?? 0) - (b.usdPerMonth ?? 0) || (a.name < b.name ? -1 : 1)).slice(0, -1)
}

const RARE_PEAK = 'A peak that is rarer than those of the last month may need the room.'

function tooEarly({ hoursKnown }: ClusterFacts, target: Target): Withheld | null {
  if (hoursKnown >= HOURS_KNOWN_MIN) return null
  const detail = `${count(hoursKnown, 'hour')} of the last week are known; a busier one may need the room.`
  const unlock = `It is judged when ${HOURS_KNOWN_MIN} hours are known.`
  return { kind: 'withheld', target, reason: 'too_little_history', detail, unlock }
}

const commonChecks = ({ hoursKnown }: ClusterFacts, placed: string): Check[] => [
  passed(`At least ${HOURS_KNOWN_MIN} hours of the cluster are known`, count(hoursKnown, 'hour')),
  passed('All pods fit elsewhere, as many as at the busiest', placed),
]
