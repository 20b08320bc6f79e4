import { count } from '../../count.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { groupBy } from '../../group-by.ts'
import { passed } from '../checks.ts'
import type { SavingLine, Target, Verdict, Withheld } from '../finding.ts'
import { FIRST_DAY_GUARD, firstDayCheck, withholdFirstDay } from '../facts/first-day.ts'
import type { CheaperSet, NodeFacts, PoolFacts } from '../facts/object-facts.ts'
import { aboutObject, dollars, noPrice, poolTarget, showUsd } from '../object-finding.ts'
import { allHeld, besidesHeld, heldCheck, isHeld, isReplaceable } from '../facts/replaceable-nodes.ts'
import type { Rule } from '../rule.ts'
import { lineOf, monthlyPrice, nodeLines, nodeRows } from '../savings/saving-lines.ts'

const SHARE_MIN = 0.1

export const nodeInstanceTypeMismatch: Rule = {
  id: 'node_instance_type_mismatch',
  category: 'node',
  title: 'Pools on machines that do not fit their pods',
  shortName: 'Instance type',
  description:
    'Another set of machines carries the same pods for less. The set is not an estimate: every pod was placed on it with all filters of the scheduler.',
  trigger:
    'The cheapest set that was found costs at least a tenth less than the machines of the pool that it takes the place of: without those that can go as they are, and without those that nobody may empty.',
  saving:
    'What the nodes cost that the set takes the place of − what the set costs. Only what the pool’s scaler swaps by itself can be banked without anybody’s help.',
  guards: [
    FIRST_DAY_GUARD,
    'No machine is more than twice as large as those of the pool.',
    'There are as many pods as in the busiest hour of the last month.',
    'A tenth of CPU and memory of every machine is left free.',
    'Only machines of the same architecture, of the families that the pool may use, in its zones.',
    'DaemonSets are counted on every machine, and no more pods than the machine takes.',
    'Pools with GPUs and spot pools are left out.',
    'A pod that no machine could take leaves the pool out.',
    'A node that a mark, a budget, a bare pod or local data keeps from being emptied stays, and is named. Where all are kept it is withheld.',
    'Fewer machines of the types that are there are no other machines: which nodes can go is found by emptying them. It is withheld.',
  ],
  needs: ['nodes', 'placement', 'node_types'],
  isAboutMoney: true,
  judge: (facts) => facts.pools.flatMap((pool) => judge(facts, pool, stayingIn(facts, pool))),
}

type Staying = {
  /** Those that other machines could take the place of. */
  readonly replaceable: readonly NodeFacts[]
  readonly held: readonly NodeFacts[]
}

function stayingIn({ nodes }: ClusterFacts, { name }: PoolFacts): Staying {
  const own = nodes.filter(({ pool }) => pool === name)
  return { replaceable: own.filter(isReplaceable), held: own.filter(isHeld) }
}

function judge(
  facts: ClusterFacts,
  { name, nodes, usdPerMonth: wholeUsd, cheaperSet }: PoolFacts,
  { replaceable, held }: Staying,
): Verdict[] {
  const target = poolTarget(name)
  if (replaceable.length === 0 && held.length > 0)
    return [allHeld(target, held, 'Whether other machines would cost less is not known')]
  if (cheaperSet === null) return []
  if (wholeUsd === null) return [noPrice(target, `a node of the pool ${name}`)]
  const usdPerMonth = replaceable.reduce((sum, node) => sum + (node.usdPerMonth ?? 0), 0)
  const saving = usdPerMonth - cheaperSet.usdPerMonth
  if (saving < SHARE_MIN * usdPerMonth || usdPerMonth === 0) return []
  const tooEarly = withholdFirstDay(facts, target)
  if (tooEarly) return [tooEarly]
  const machines = cheaperSet.machines.map(({ type, count: many }) => `${many} × ${type}`).join(', ')
  const present = countTypes(replaceable)
  if (cheaperSet.machines.every(({ type, count: many }) => many <= (present.get(type) ?? 0)))
    return [onlyFewer(target, machines, replaceable)]
  const now = [...present].map(([type, many]) => `${many} × ${type}`).join(', ')
  return [
    aboutObject({
      target,
      title: `Other machines would carry the pods of pool ${name} for less`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Run the pool ${name} on ${machines} instead of ${now}.${besidesHeld(held)}`,
        fields: [{ path: 'instance types', from: now, to: machines }],
      },
      machines: replaceable.map((node) => node.name),
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: Math.min(saving, cheaperSet.swappedUsdPerMonth),
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      confidence: 'medium',
      basis: `${nodes} ${machines}`,
      checks: [
        firstDayCheck(facts),
        passed('Every pod has a place on the set', machines),
        heldCheck(held),
        passed('Some of each machine is left free', `${cheaperSet.headroomPercent} %`),
        passed('As many pods as in the busiest hour', `of ${count(cheaperSet.daysOfPeak, 'day')}`),
        passed('A tenth cheaper or more', `${showUsd(saving)} of ${showUsd(usdPerMonth)} a month`),
      ],
      prices: nodeRows(replaceable),
      savingLines: [...nodeLines(replaceable), ...setLines(cheaperSet)],
      because: `Every pod was placed on the set, with ${cheaperSet.headroomPercent} % of each machine left free.`,
      caveats: [
        'What is left for pods on machines that were not seen here is taken from those that were.',
        'A peak that is rarer than once a month needs machines as well.',
      ],
      facts: {
        nodes: replaceable.length,
        usd_per_month: dollars(usdPerMonth),
        set: machines,
        set_usd_per_month: dollars(cheaperSet.usdPerMonth),
        bound_usd_per_month: dollars(cheaperSet.boundUsdPerMonth),
      },
    }),
  ]
}

/** What is paid instead, machine by machine; as one sum where their prices were not noted. */
function setLines({ machines, usdPerMonth }: CheaperSet): SavingLine[] {
  const lines = machines.flatMap(({ type, count: many, price }) =>
    price ? [lineOf(`${count(many, 'node')} of ${type} instead`, -many, price)] : [],
  )
  if (lines.length === machines.length) return lines
  const names = machines.map(({ type, count: many }) => `${many} × ${type}`).join(', ')
  return [lineOf(`${names} instead`, -1, monthlyPrice(usdPerMonth, 'set'))]
}

function countTypes(nodes: readonly NodeFacts[]): Map<string, number> {
  const byType = groupBy(nodes, ({ instanceType }) => instanceType)
  return new Map([...byType].map(([type, some]) => [type, some.length] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Were all pods placed anew, fewer would do; but one node after the other none can be emptied, and nothing else would change. */
function onlyFewer(target: Target, machines: string, nodes: readonly NodeFacts[]): Withheld {
  const stuck = nodes.flatMap(({ name, fate }) => (fate?.kind === 'kept' ? [`${name}: ${fate.why}`] : []))
  return {
    kind: 'withheld',
    target,
    reason: 'cannot_move',
    detail:
      `${machines} would carry the pods if all of them were placed anew, but no node can be emptied as it is. ${stuck[0] ?? ''}`.trim(),
    unlock: 'It is judged when a node can be emptied, for example once pods ask for less.',
  }
}
