import { count } from '../../count.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { groupBy } from '../../group-by.ts'
import { passed } from '../checks.ts'
import type { Check, Verdict, Withheld } from '../finding.ts'
import { FIRST_DAY_GUARD, firstDayCheck, withholdFirstDay } from '../facts/first-day.ts'
import type { NodeFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, nodeTarget, noPrice, poolTarget } from '../object-finding.ts'
import type { Rule } from '../rule.ts'
import { nodeLines, nodeRows } from '../savings/saving-lines.ts'

/** Where nobody scales the pool, nodes are only replaced: it is as large as before, so their age says nothing. */
const HOURS_OLD_MIN = 6

export const nodeUnderutilizedDrain: Rule = {
  id: 'node_underutilized_drain',
  category: 'node',
  title: 'Nodes whose pods fit elsewhere',
  shortName: 'Removable node',
  description:
    'The scheduler was run again without this node, and every pod of it found a place on the nodes that are there. All nodes that are named can go together.',
  trigger: 'A node can be emptied with the requests as they are, after those that are named before it.',
  saving:
    'The price of the node. Where nobody scales the pool there is one advice for the pool, which names the nodes that can be emptied; it is banked as far as these can go beside all other open advice.',
  guards: [
    'Requests, taints, affinity, spread, volume zones, host ports, the number of pods, disruption budgets and marks hold.',
    'A pool is not taken below its minimum, nor does the cluster-autoscaler touch nodes above its threshold.',
    'Of each workload there are as many pods as at its busiest: of the last day, and of jobs and what is scaled of the last month.',
    FIRST_DAY_GUARD,
    'Where something scales the pool, a node that is younger than six hours is withheld: it came for a reason.',
    'A node without a price is withheld.',
    'A node that is paid for anyway saves nothing and is left out.',
    'Of several nodes of a pool that nobody scales one stays: providers refuse to empty some pools.',
    'Two stay where something of a namespace of the system runs that is no DaemonSet, and two zones where workloads run in several; else it is withheld.',
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
  const unknown = withholdFirstDay(facts, target)
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
  const all = facts.nodes.filter((node) => node.pool === pool)
  const nodes = nodesToRemove(facts, pool, idle)
  const [first] = nodes
  if (!first) return [needsItsNodes(facts, pool, idle)]
  const unpriced = nodes.find(({ usdPerMonth }) => usdPerMonth === null)
  if (unpriced) return [noPrice(target, `a node of the type '${unpriced.instanceType}'`)]
  const unknown = withholdFirstDay(facts, target)
  if (unknown) return [unknown]
  const usd = nodes.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  const many = count(nodes.length, 'node')
  const names = nodes.map(({ name }) => name).sort()
  return [
    aboutObject({
      target,
      title: `Pool ${pool} has ${many} more than its pods need: ${listNames(names)}`,
      change: { action: 'reconfigure', object: target, summary: stepsFor(pool, names, all.length), fields: [] },
      removesNodes: names,
      estimatedUsdPerMonth: usd,
      bankableUsdPerMonth: usd,
      costUsdPerMonth: usd,
      risk: 'medium',
      confidence: 'medium',
      basis: many,
      checks: [
        ...commonChecks(facts, 'on the nodes that stay'),
        passed('Not paid for whether they run or not', 'no commitment is known'),
        passed(
          'What has to run on several nodes or zones still can',
          `${count(all.length - nodes.length, 'node stays', 'nodes stay')}`,
        ),
      ],
      prices: nodeRows(nodes),
      savingLines: nodeLines(nodes),
      because: `Every pod of ${nodes.length === 1 ? 'it' : 'them'} was placed on another node, with all filters of the scheduler.`,
      caveats: [
        RARE_PEAK,
        ...(isScalingKnown(facts, pool) ? [] : [UNKNOWN_SCALING]),
        'Only these nodes were emptied: a group whose size is only lowered chooses a node by itself, and asks no PodDisruptionBudget.',
        ...(nodes.length < all.length ? [] : ['It is the only node of its pool: some pools cannot be empty.']),
      ],
      facts: {
        pool,
        pool_size: all.length,
        nodes: names.join(', '),
        instance_types: [...new Set(nodes.map(({ instanceType }) => instanceType))].sort().join(', '),
        usd_per_month: dollars(usd),
        scaled_by: isScalingKnown(facts, pool) ? 'nobody' : 'unknown',
      },
    }),
  ]
}

const UNKNOWN_SCALING =
  'It is not known whether an autoscaler resizes this pool. If one does, answer so in Settings, Policies: the autoscaler then removes the nodes.'

const isScalingKnown = ({ pools }: ClusterFacts, pool: string) =>
  pools.find(({ name }) => name === pool)?.scaler !== 'unknown'

const NAMED_MAX = 3

const listNames = (names: readonly string[]) =>
  names.length <= NAMED_MAX + 1
    ? names.join(', ')
    : `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`

/** All names: whoever follows it needs every one. */
function stepsFor(pool: string, names: readonly string[], size: number): string {
  const [they, machines] = names.length === 1 ? ['it', 'this machine'] : ['each', 'these machines']
  return `Cordon ${names.join(', ')}, drain ${they}, and then remove exactly ${machines} from the group of pool ${pool}, so that its size goes from ${size} to ${size - names.length}. A node that is only deleted would be brought back.`
}

const SYSTEM_NODES_MIN = 2
const ZONES_MIN = 2

type Stays = { readonly nodes: number; readonly zones: number }

/** What the pool must keep, where it has as much. */
function mustStay({ pools }: ClusterFacts, pool: string, size: number): Stays {
  const { systemWorkloads = [], spreadWorkloads = [] } = pools.find(({ name }) => name === pool) ?? {}
  return {
    nodes: systemWorkloads.length > 0 ? SYSTEM_NODES_MIN : size > 1 ? 1 : 0,
    zones: spreadWorkloads.length > 0 ? ZONES_MIN : 0,
  }
}

/** The cheapest first, so that no more is promised than whichever of them go. */
function nodesToRemove(facts: ClusterFacts, pool: string, idle: readonly NodeFacts[]): readonly NodeFacts[] {
  const all = facts.nodes.filter((node) => node.pool === pool)
  const least = mustStay(facts, pool, all.length)
  const going = new Set<NodeFacts>()
  for (const node of idle.toSorted(byPrice)) {
    const left = all.filter((each) => each !== node && !going.has(each))
    if (left.length >= least.nodes && zonesOf(left) >= least.zones) going.add(node)
  }
  return [...going]
}

const byPrice = (a: NodeFacts, b: NodeFacts) =>
  (a.usdPerMonth ?? 0) - (b.usdPerMonth ?? 0) || (a.name < b.name ? -1 : 1)

const zonesOf = (nodes: readonly NodeFacts[]) => new Set(nodes.flatMap(({ zone }) => zone ?? [])).size

function needsItsNodes(facts: ClusterFacts, pool: string, idle: readonly NodeFacts[]): Withheld {
  const { systemWorkloads = [], spreadWorkloads = [] } = facts.pools.find(({ name }) => name === pool) ?? {}
  const isSystem = systemWorkloads.length > 0
  const fit = `The pods of ${listNames(idle.map(({ name }) => name).sort())} fit elsewhere`
  return {
    kind: 'withheld',
    target: poolTarget(pool),
    reason: 'cannot_move',
    detail: isSystem
      ? `${fit}, but ${listNames(systemWorkloads)} of the system run in this pool: with fewer than ${SYSTEM_NODES_MIN} nodes the cluster stops with one of them.`
      : `${fit}, but ${listNames(spreadWorkloads)} run in several zones, and this pool would be left in one.`,
    unlock: isSystem
      ? 'It is judged again when the pool has a node more, or when these run in another pool.'
      : 'It is judged again when the pool has another node in a second zone, or when these run in another pool.',
  }
}

const RARE_PEAK = 'A peak that is rarer than those of the last month may need the room.'

const commonChecks = (facts: ClusterFacts, placed: string): Check[] => [
  firstDayCheck(facts),
  passed('All pods fit elsewhere, as many as at the busiest', placed),
]
