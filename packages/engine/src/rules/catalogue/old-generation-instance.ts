import { poolScaler } from '../facts/pool-scaler.ts'
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
  title: 'Replace instances of an old generation',
  shortName: 'Old generation',
  description: 'The next generation of the same size costs less and is faster. Pods need no change.',
  trigger: 'The successor of a node’s instance type, of the same size and architecture, has a lower list price.',
  saving: 'The price difference of all such nodes of the pool. Bankable savings are 0 until the instances change.',
  guards: [
    'Only successors with a price in the same region.',
    'Spot nodes are skipped: their prices follow demand.',
    'Removable nodes are skipped.',
    'Nodes that cannot be drained stay, and the recommendation names them. Blockers: annotation, PodDisruptionBudget, pod without a controller, local storage. Withheld if all nodes stay.',
  ],
  needs: ['nodes'],
  isAboutMoney: true,
  inPlan: {
    role: 'switch',
    verb: 'Switch',
    noun: ['node pool to a newer instance type', 'node pools to newer instance types'],
  },
  countsAfter: { scope: 'target', rules: [nodeInstanceTypeMismatch], keeps: 'share' },
  judge: (facts) => [...pools(facts)].flatMap(([pool, nodes]) => judge(facts, pool, nodes)),
}

function pools({ nodes }: ClusterFacts): Map<string, NodeFacts[]> {
  const old = nodes.filter((node) => node.successor && !node.isSpot && !isGoing(node) && savingOf(node) > 0)
  return groupBy(old, ({ pool }) => pool)
}

const savingOf = ({ usdPerMonth, successor }: NodeFacts) =>
  Math.max(0, (usdPerMonth ?? 0) - (successor?.usdPerMonth ?? Infinity))

/** Each successor with the number of nodes that it replaces. */
function successorsOf(nodes: readonly NodeFacts[]) {
  const byType = groupBy(nodes, ({ successor }) => successor?.instanceType ?? '')
  return [...byType].map(([type, own]) => ({ type, count: own.length })).sort((a, b) => (a.type < b.type ? -1 : 1))
}

function judge(facts: ClusterFacts, pool: string, old: readonly NodeFacts[]): Verdict[] {
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
      title: `Switch node pool ${pool} from ${from} to ${to}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Use ${to} instead of ${from} in pool ${pool}.${besidesHeld(held)}`,
        fields: [{ path: 'instance type', from, to }],
      },
      action: {
        kind: 'replace_machines',
        pool,
        scaler: poolScaler(facts, pool),
        from: [...new Set(nodes.map(({ instanceType }) => instanceType))].sort(),
        to: successorsOf(nodes),
        nodesStaying: facts.nodes.filter((node) => node.pool === pool).length - nodes.length,
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
        passed('On-demand nodes that are not removable', count(nodes.length, 'node')),
        heldCheck(held),
      ],
      prices: nodeRows(nodes),
      savingLines: [...nodeLines(nodes), ...successorLines(nodes)],
      because: `${count(nodes.length, 'node has', 'nodes have')} a cheaper successor of the same size.`,
      caveats: ['The account quota must cover the new instance family.'],
      facts: { nodes: nodes.length, instance_types: from, successors: to, usd_per_month: dollars(cost) },
    }),
  ]
}

/** The new cost; equal prices share a line. */
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
