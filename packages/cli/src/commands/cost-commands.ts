import type { OperationAnswer } from '@plimsoll/contract'
import { count, gib, percent, share, text, usd, type Cell } from '../output/cells.ts'
import { tableOf, type Table } from '../output/presentation.ts'
import { read } from './read-command.ts'

const window = ['window', 'from', 'to'] as const

type Allocation = OperationAnswer<'getAllocation'>
type AllocationStep = Allocation['steps'][number]
type Line = { names: Readonly<Record<string, string>>; cost: AllocationStep['rest']['cost'] }

/** The lines of a step add up to its total. */
function linesOf(
  { rows, rest, idle, unmounted, unattached, overhead }: AllocationStep,
  [first = '']: string[],
): Line[] {
  const named = (name: string, cost: Line['cost'] | null) => (cost === null ? [] : [{ names: { [first]: name }, cost }])
  return [
    ...rows,
    ...(rest.rows > 0 ? named(`(${rest.rows} more)`, rest.cost) : []),
    ...named('__idle__', idle),
    ...named('__unmounted__', unmounted),
    ...named('__unattached__', unattached),
    ...named('__overhead__', overhead),
  ]
}

/** The second level, if any, replaces the rows of the first. */
function withSecondLevel(line: AllocationStep['rows'][number]): Line[] {
  if (!line.rows) return [line]
  const { rest } = line
  const [, second = ''] = Object.keys(line.rows[0]?.names ?? {})
  const others =
    rest && rest.rows > 0 ? [{ names: { ...line.names, [second]: `(${rest.rows} more)` }, cost: rest.cost }] : []
  return [...line.rows.map((row) => ({ ...row, names: { ...line.names, ...row.names } })), ...others]
}

function allocationTable({ by, step, steps }: Allocation): Table {
  const lines = steps.flatMap((each) =>
    linesOf({ ...each, rows: each.rows.flatMap(withSecondLevel) }, by).map((line) => ({ ...line, from: each.from })),
  )
  const names = by.length === 0 ? ['name'] : by
  return tableOf(lines, [
    ...(step === 'none' ? [] : [['from', ({ from }: { from: string }) => text(from)] as const]),
    ...names.map((name) => [name, (line: Line) => text(line.names[name] ?? (by.length > 0 ? '' : 'total'))] as const),
    ['total', ({ cost }) => usd(cost.total)],
    ['cpu', ({ cost }) => usd(cost.cpu)],
    ['memory', ({ cost }) => usd(cost.memory)],
    ['gpu', ({ cost }) => usd(cost.gpu)],
    ['storage', ({ cost }) => usd(cost.storage)],
    ['load balancer', ({ cost }) => usd(cost.load_balancer)],
    ['requested but unused', ({ cost }) => usd(cost.workload_idle)],
    ['efficiency', ({ cost }) => share(cost.efficiency)],
  ])
}

type Classes = { workload: number; workload_idle: number; cluster_idle: number; unmeasured: number }

const classFacts = (classes: Classes): (readonly [string, Cell])[] => [
  ['Used', usd(classes.workload)],
  ['Requested but unused', usd(classes.workload_idle)],
  ['Unallocated', usd(classes.cluster_idle)],
]

const windowFact = ({ window: { from, to } }: { window: { from: string; to: string } }) =>
  ['Window', text(`${from} to ${to}`)] as const

export const costCommands = [
  read('getAllocation', {
    words: 'cost',
    summary: 'Show the cost by namespace, workload, team, label, node or cluster',
    query: [
      ...window,
      ...([
        'cluster_id',
        'by',
        'group_by',
        'step',
        'trend',
        'share',
        'share_idle',
        'share_overhead',
        'share_namespaces',
      ] as const),
      ...(['share_namespaces_by', 'share_weights', 'namespace', 'workload', 'clusters', 'team', 'label'] as const),
      ...([
        'controller_kind',
        'node_pool',
        'node',
        'compare',
        'compare_from',
        'compare_to',
        'include',
        'limit',
      ] as const),
    ],
    present: (answer) => ({
      facts: [windowFact(answer), ['Total', usd(answer.total)]],
      table: allocationTable(answer),
    }),
  }),
  read('getIdleCosts', {
    words: 'idle',
    summary: 'Show compute cost by class: used, requested but unused, unallocated',
    query: [...window, 'cluster_id', 'include'],
    present: (answer) => ({
      facts: [windowFact(answer), ['Compute cost', usd(answer.total)], ...classFacts(answer.breakdown)],
      table: tableOf(answer.by_namespace, [
        ['namespace', ({ namespace }) => text(namespace)],
        ['total', ({ total }) => usd(total)],
        ['used', ({ workload }) => usd(workload)],
        ['requested but unused', ({ workload_idle: idle }) => usd(idle)],
      ]),
    }),
  }),
  read('getChanges', {
    words: 'changes',
    summary: 'Compare the cost of two windows',
    query: [
      ...window,
      ...(['compare', 'compare_from', 'compare_to', 'cluster_id', 'by', 'namespace', 'workload', 'clusters'] as const),
      ...(['team', 'label', 'controller_kind', 'limit'] as const),
    ],
    present: ({ rows, total, by, ...answer }) => ({
      facts: [
        windowFact(answer),
        ['Compared with', text(`${answer.compare_window.from} to ${answer.compare_window.to}`)],
        ['Before', usd(total.before)],
        ['Now', usd(total.now)],
        ['Difference', usd(total.difference)],
      ],
      table: tableOf(rows, [
        ...by.map((name) => [name, ({ names }: (typeof rows)[number]) => text(names[name])] as const),
        ['before', ({ before }) => usd(before)],
        ['now', ({ now }) => usd(now)],
        ['difference', ({ difference }) => usd(difference)],
        ['causes', ({ effects }) => text([...new Set(effects.map(({ kind }) => kind))].join(', '))],
      ]),
    }),
  }),
  read('listNodes', {
    words: 'nodes',
    summary: 'List the nodes of a cluster with cost and utilization',
    query: ['limit', 'cursor', ...window, 'state'],
    present: ({ nodes }) => ({
      table: tableOf(nodes, [
        ['name', ({ name }) => text(name)],
        ['pool', ({ pool }) => text(pool)],
        ['instance type', ({ instance_type: type }) => text(type)],
        ['price per hour', ({ price }) => usd(price.usd_per_hour)],
        ['cost', ({ cost }) => usd(cost.total)],
        ['cpu allocated', ({ cpu_allocated_percent: cpu }) => percent(cpu)],
        ['memory allocated', ({ memory_allocated_percent: memory }) => percent(memory)],
        ['not removed because', ({ why_still_here: why }) => text(why?.message)],
      ]),
    }),
  }),
  read('listWorkloads', {
    words: 'workloads',
    summary: 'List the workloads of a cluster, the most expensive first',
    query: ['limit', 'cursor', ...window, 'namespace'],
    present: ({ workloads }) => ({
      table: tableOf(workloads, [
        ['namespace', ({ namespace }) => text(namespace)],
        ['kind', ({ kind }) => text(kind)],
        ['name', ({ name }) => text(name)],
        ['cost', ({ cost }) => usd(cost.total)],
        ['requested but unused', ({ cost }) => usd(cost.workload_idle)],
        ['replicas', ({ replicas }) => count(replicas)],
        ['cpu requested', ({ cpu_cores: cpu }) => count(cpu.requested)],
        ['cpu used', ({ cpu_cores: cpu }) => count(cpu.used)],
        ['memory requested', ({ memory_bytes: memory }) => gib(memory.requested)],
        ['memory used', ({ memory_bytes: memory }) => gib(memory.used)],
      ]),
    }),
  }),
  read('explainCost', {
    words: 'explain',
    summary: 'Explain a cost figure with its quantities and rates',
    query: [...window, 'figure', 'resource', 'namespace', 'workload', 'node_uid'],
    present: (answer) => ({
      facts: [
        windowFact(answer),
        ['Figure', text(answer.figure)],
        ['Amount', usd(answer.amount)],
        ['Formula', text(answer.formula)],
      ],
      table: tableOf(answer.parts, [
        ['resource', ({ resource }) => text(resource)],
        ['quantity', ({ quantity, unit }) => text(`${quantity} ${unit}`)],
        ['price per unit and second', ({ rate }) => text(rate.usd_per_unit_second)],
        ['amount', ({ exact_amount: amount }) => usd(Number(amount))],
      ]),
    }),
  }),
  read('getDataQuality', {
    words: 'quality',
    summary: 'Show usage coverage, gaps and missing prices of a cluster',
    query: window,
    present: ({ hours, usage_coverage: coverage, unpriced, ...answer }) => ({
      facts: [
        windowFact(answer),
        ['Data status', text(answer.data_status)],
        ['Hours with data', text(`${hours.with_data} of ${hours.expected}`)],
        ['CPU usage coverage', share(coverage.cpu)],
        ['Memory usage coverage', share(coverage.memory)],
        ['CPU capacity not priced', share(unpriced.cpu.fraction)],
        ['Memory capacity not priced', share(unpriced.memory.fraction)],
        ['Estimated cost', usd(answer.estimated.cost)],
        ['Rejected records', count(answer.batches.rejected_records)],
      ],
      table: tableOf(answer.gaps, [
        ['gap from', ({ from }) => text(from)],
        ['to', ({ to }) => text(to)],
        ['hours', ({ hours: missing }) => count(missing)],
      ]),
    }),
  }),
  read('getClusterSummary', {
    words: 'summary',
    summary: 'Show cost, utilization, idle cost and savings of a cluster',
    query: window,
    present: ({ cost_breakdown: cost, node_utilization: nodes, idle_costs: idle, ...answer }) => ({
      facts: [
        windowFact(answer),
        ['Total', usd(cost.total)],
        ['CPU', usd(cost.compute.cpu)],
        ['Memory', usd(cost.compute.memory)],
        ['GPU', usd(cost.compute.gpu)],
        ['Storage', usd(cost.storage)],
        ['Load balancers', usd(cost.load_balancer)],
        ['Overhead', usd(cost.overhead)],
        ...classFacts(idle.breakdown),
        ['Nodes', count(nodes.nodes)],
        ['CPU requested', percent(nodes.cpu.requested_percent)],
        ['CPU used', percent(nodes.cpu.used_percent)],
        ['Memory requested', percent(nodes.memory.requested_percent)],
        ['Memory used', percent(nodes.memory.used_percent)],
        ['Estimated savings per month', usd(answer.potential_savings?.estimated)],
        ['Bankable savings per month', usd(answer.potential_savings?.bankable)],
      ],
      table: tableOf(cost.by_namespace, [
        ['namespace', ({ namespace }) => text(namespace)],
        ['cost', ({ cost: each }) => usd(each)],
      ]),
    }),
  }),
  read('getOverview', {
    words: 'overview',
    summary: 'Show run rate, compute classes and savings of all clusters or one cluster',
    query: ['cluster_id'],
    present: ({ run_rate: rate, compute, recommendations, clusters }) => ({
      facts: [
        ['Run rate per month', usd(rate.total)],
        ...classFacts(compute),
        ['Open recommendations', count(recommendations?.open)],
        ['Estimated savings per month', usd(recommendations?.estimated_savings)],
        ['Bankable savings per month', usd(recommendations?.bankable_savings)],
      ],
      table: tableOf(clusters, [
        ['name', ({ name }) => text(name)],
        ['status', ({ status }) => text(status)],
        ['nodes', ({ node_count: nodes }) => count(nodes)],
        ['cost per month', ({ monthly_cost: cost }) => usd(cost)],
        ['used', ({ compute: each }) => usd(each.workload)],
        ['requested but unused', ({ compute: each }) => usd(each.workload_idle)],
        ['unallocated', ({ compute: each }) => usd(each.cluster_idle)],
      ]),
    }),
  }),
]
