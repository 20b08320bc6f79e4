import type { Allocation } from '@plimsoll/contract'

type Step = Allocation['steps'][number]
type Cost = Step['rest']['cost']

/** The parts of the total, then the compute classes; `unmeasured` is a part of `workload`. */
const amounts = [
  'total',
  'cpu',
  'memory',
  'gpu',
  'storage',
  'load_balancer',
  'overhead',
  'shared_idle',
  'shared_overhead',
  'shared_namespaces',
  'workload',
  'workload_idle',
  'cluster_idle',
  'unmeasured',
] as const

/** All digits of the API. Amounts end in `_usd`, because `workload` can also be the name column. */
export function csvRows({ steps: [step] }: Allocation, by: string): string[][] {
  if (!step) return []
  const lines: [name: string, cost: Cost | null][] = [
    ...step.rows.map(({ names, cost }): [string, Cost] => [names[by] ?? '', cost]),
    ['__other__', step.rest.rows > 0 ? step.rest.cost : null],
    ['__idle__', step.idle],
    ['__unmounted__', step.unmounted],
    ['__unattached__', step.unattached],
    ['__overhead__', step.overhead],
  ]
  return [
    [by, ...amounts.map((name) => `${name}_usd`), 'efficiency'],
    ...lines.flatMap(([name, cost]) => (cost ? [[name, ...cellsOf(cost)]] : [])),
  ]
}

const cellsOf = (cost: Cost): string[] => [
  ...amounts.map((name) => String(cost[name])),
  cost.efficiency === null ? '' : String(cost.efficiency),
]
