import { poolScaler } from '../facts/pool-scaler.ts'
import { count } from '../../count.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { groupBy } from '../../group-by.ts'
import { passed, percent } from '../checks.ts'
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
  title: 'Switch node pools to cheaper instance types',
  shortName: 'Instance type',
  description:
    'Other instance types run the same pods at lower cost. The scheduler simulation placed every pod on the proposed nodes.',
  trigger: `The cheapest combination of instance types costs at least ${percent(SHARE_MIN)} less than the nodes it replaces. Removable nodes and nodes that cannot be drained are not compared.`,
  saving:
    'Price of the replaced nodes − price of the proposed nodes. Bankable: only nodes that a node autoscaler replaces.',
  guards: [
    FIRST_DAY_GUARD,
    'No instance is more than twice as large as those of the pool.',
    'The pods are those of the busiest hour of the last month.',
    'A tenth of the CPU and memory of every instance stays free.',
    'Only instances of the same architecture, in the families and zones that the pool may use.',
    'DaemonSets and the maximum number of pods are counted on every instance.',
    'GPU and spot pools are skipped.',
    'A pool with a pod that fits on no instance is skipped.',
    'Nodes that cannot be drained stay, and the recommendation names them. Blockers: annotation, PodDisruptionBudget, pod without a controller, local storage. Withheld if all nodes stay.',
    'Removing nodes of the current types is not part of this rule; another rule finds removable nodes.',
  ],
  needs: ['nodes', 'placement', 'node_types'],
  isAboutMoney: true,
  inPlan: {
    role: 'switch',
    verb: 'Switch',
    noun: ['node pool to another instance type', 'node pools to other instance types'],
  },
  judge: (facts) => facts.pools.flatMap((pool) => judge(facts, pool, stayingIn(facts, pool))),
}

type Staying = {
  /** Nodes that other instance types can replace. */
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
    return [allHeld(target, held, 'Instance types are not compared, because no node can be drained.')]
  if (cheaperSet === null) return []
  if (wholeUsd === null) return [noPrice(target, `a node of pool ${name}`)]
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
      title: `Switch node pool ${name} from ${typesOf([...present.keys()])} to ${typesOf(cheaperSet.machines.map(({ type }) => type))}`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Run pool ${name} on ${machines} instead of ${now}.${besidesHeld(held)}`,
        fields: [{ path: 'instance types', from: now, to: machines }],
      },
      action: {
        kind: 'replace_machines',
        pool: name,
        scaler: poolScaler(facts, name),
        from: [...present.keys()],
        to: cheaperSet.machines.map(({ type, count: many }) => ({ type, count: many })),
        nodesStaying: held.length,
      },
      machines: replaceable.map((node) => node.name),
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: Math.min(saving, cheaperSet.swappedUsdPerMonth),
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      riskReasons: ['All pods of the pool move to new nodes'],
      confidence: 'medium',
      basis: `${nodes} ${machines}`,
      checks: [
        firstDayCheck(facts),
        passed('Every pod fits on the proposed nodes', machines),
        heldCheck(held),
        passed('Each instance keeps free capacity', `${cheaperSet.headroomPercent} %`),
        passed(`Pods of the busiest hour of ${count(cheaperSet.daysOfPeak, 'day')}`, 'placed'),
        passed(`At least ${percent(SHARE_MIN)} cheaper`, `${showUsd(saving)} of ${showUsd(usdPerMonth)}/month`),
      ],
      prices: nodeRows(replaceable),
      savingLines: [...nodeLines(replaceable), ...setLines(cheaperSet)],
      because: `The scheduler simulation placed every pod on the proposed nodes, with ${cheaperSet.headroomPercent} % of each node free.`,
      caveats: [
        'The allocatable capacity of types that the cluster does not run is estimated from the types it runs.',
        'Peaks less frequent than once a month are not in the data.',
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

/** The new cost by instance type; as one sum if their prices are unknown. */
function setLines({ machines, usdPerMonth }: CheaperSet): SavingLine[] {
  const lines = machines.flatMap(({ type, count: many, price }) =>
    price ? [lineOf(`${count(many, 'node')} of ${type} instead`, -many, price)] : [],
  )
  if (lines.length === machines.length) return lines
  const names = machines.map(({ type, count: many }) => `${many} × ${type}`).join(', ')
  return [lineOf(`${names} instead`, -1, monthlyPrice(usdPerMonth, 'set'))]
}

const typesOf = (types: readonly string[]) => [...new Set(types)].sort().join(', ')

function countTypes(nodes: readonly NodeFacts[]): Map<string, number> {
  const byType = groupBy(nodes, ({ instanceType }) => instanceType)
  return new Map([...byType].map(([type, some]) => [type, some.length] as const).sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** A full repack would need fewer nodes. But no node can be drained alone, and nothing else would change. */
function onlyFewer(target: Target, machines: string, nodes: readonly NodeFacts[]): Withheld {
  const stuck = nodes.flatMap(({ name, fate }) => (fate?.kind === 'kept' ? [`${name}: ${fate.why}`] : []))
  return {
    kind: 'withheld',
    target,
    reason: 'cannot_move',
    detail: `${machines} would run the pods, but no node can be drained now. ${stuck[0] ?? ''}`.trim(),
    unlock: 'Apply the right-sizing recommendations first, or wait until a node can be drained.',
  }
}
