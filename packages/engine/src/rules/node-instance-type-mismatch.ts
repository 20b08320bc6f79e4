import { count } from '../count.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { groupBy } from '../group-by.ts'
import { passed } from './checks.ts'
import type { Verdict } from './finding.ts'
import type { NodeFacts, PoolFacts } from './object-facts.ts'
import { aboutObject, dollars, noPrice, poolTarget } from './object-rule.ts'
import type { Rule } from './rule.ts'

const SHARE_MIN = 0.1

export const nodeInstanceTypeMismatch: Rule = {
  id: 'node_instance_type_mismatch',
  category: 'node',
  title: 'Pools on machines that do not fit their pods',
  description:
    'Another set of machines carries the same pods for less. The set is not an estimate: every pod was placed on it with all filters of the scheduler.',
  trigger:
    'The cheapest set that was found costs at least a tenth less than the machines of the pool, without those that can go as they are.',
  saving:
    'What the nodes of the pool cost that cannot go as they are − what the set costs. Only what the pool’s scaler swaps by itself can be banked without anybody’s help.',
  guards: [
    'No machine is more than twice as large as those of the pool.',
    'There are as many pods as in the busiest hour of the last month.',
    'A tenth of CPU and memory of every machine is left free.',
    'Only machines of the same architecture, of the families that the pool may use, in its zones.',
    'DaemonSets are counted on every machine, and no more pods than the machine takes.',
    'Pools with GPUs and spot pools are left out.',
    'A pod that no machine could take leaves the pool out.',
  ],
  needs: ['nodes', 'placement', 'node_types'],
  isAboutMoney: true,
  judge: (facts) => facts.pools.flatMap((pool) => judge(pool, stayingIn(facts, pool))),
}

/** Nodes that can go as they are: that money is told elsewhere. */
const isGoing = ({ fate }: NodeFacts) => fate?.kind === 'free' || fate?.kind === 'by_hand'

type Staying = {
  /** Such as "2 × m5.xlarge". */
  readonly machines: string
  readonly goingUsd: number
}

function stayingIn({ nodes }: ClusterFacts, { name }: PoolFacts): Staying {
  const own = nodes.filter(({ pool }) => pool === name)
  const staying = groupBy(
    own.filter((node) => !isGoing(node)),
    ({ instanceType }) => instanceType,
  )
  return {
    machines: [...staying]
      .map(([type, some]) => `${some.length} × ${type}`)
      .sort()
      .join(', '),
    goingUsd: own.filter(isGoing).reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0),
  }
}

function judge({ name, nodes, usdPerMonth: wholeUsd, cheaperSet }: PoolFacts, staying: Staying): Verdict[] {
  if (cheaperSet === null) return []
  const target = poolTarget(name)
  if (wholeUsd === null) return [noPrice(target, `a node of the pool ${name}`)]
  const usdPerMonth = wholeUsd - staying.goingUsd
  const saving = usdPerMonth - cheaperSet.usdPerMonth
  if (saving < SHARE_MIN * usdPerMonth) return []
  const machines = cheaperSet.machines.join(', ')
  const now = staying.machines === '' ? count(nodes, 'node') : staying.machines
  return [
    aboutObject({
      target,
      title: `Fewer or other machines would carry the pods of pool ${name} for less`,
      change: {
        action: 'reconfigure',
        object: target,
        summary: `Run the pool ${name} on ${machines} instead of ${now}.`,
        fields: [{ path: 'instance types', from: now, to: machines }],
      },
      estimatedUsdPerMonth: saving,
      bankableUsdPerMonth: Math.min(saving, cheaperSet.swappedUsdPerMonth),
      costUsdPerMonth: usdPerMonth,
      risk: 'medium',
      confidence: 'medium',
      basis: `${nodes} ${machines}`,
      checks: [
        passed('Every pod has a place on the set', machines),
        passed('Some of each machine is left free', `${cheaperSet.headroomPercent} %`),
        passed('As many pods as in the busiest hour', `of ${count(cheaperSet.daysOfPeak, 'day')}`),
        passed('A tenth cheaper or more', `$${dollars(saving)} of $${dollars(usdPerMonth)} a month`),
      ],
      because: `Every pod was placed on the set, with ${cheaperSet.headroomPercent} % of each machine left free.`,
      caveats: [
        'What is left for pods on machines that were not seen here is taken from those that were.',
        'A peak that is rarer than once a month needs machines as well.',
      ],
      facts: {
        nodes,
        usd_per_month: dollars(usdPerMonth),
        set: machines,
        set_usd_per_month: dollars(cheaperSet.usdPerMonth),
        bound_usd_per_month: dollars(cheaperSet.boundUsdPerMonth),
      },
    }),
  ]
}
