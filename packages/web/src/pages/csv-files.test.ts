import type { Budget, Cluster, ClusterNode, IdleCosts, Overview } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { periodAndCluster, tableCsv } from '../parts/table-csv.ts'
import { budgetsCsv, pastPeriodsCsv } from './budgets-page.tsx'
import { clustersCsv } from './clusters-page.tsx'
import { namespaceCsv, nodeCsv } from './efficiency/class-tables.tsx'
import { columnsWith } from './nodes/node-table.tsx'

const window = { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z' }
const lead = periodAndCluster(window, 'prod')
const period = [window.from, window.to, 'prod']

/** Each line as a record by heading. */
const records = ([head = [], ...lines]: string[][]) =>
  lines.map((line) => Object.fromEntries(head.map((name, index) => [name, line[index]])))

test('nodes: every column of the screen, with the full name and all digits', () => {
  const node = {
    uid: 'a',
    name: 'ip-10-0-1-2.eu-west-1.compute.internal',
    pool: 'general',
    instance_type: 'm6i.large',
    capacity_type: 'spot',
    zone: 'eu-west-1a',
    price: { usd_per_hour: 0.0963, estimated: false },
    cpu_allocated_percent: 45.5,
    memory_allocated_percent: null,
    first_seen_at: '2026-10-02T03:00:00Z',
    ended_at: '2026-11-04T05:00:00Z',
    cost: { total: 12.3456789 },
  } as unknown as ClusterNode
  const columns = columnsWith(new Map())
  const [head = [], line] = tableCsv(columns, [node], lead)
  expect(head.slice(3)).toEqual(columns.map(({ header }) => header))
  expect(line).toEqual([
    ...period,
    ...[node.name, 'general', 'm6i.large', 'spot', 'eu-west-1a', '0.0963', '0.455', ''],
    ...['2026-10-02T03:00:00Z', 'removed 2026-11-04T05:00:00Z', '12.3456789'],
  ])
})

test('efficiency: plain names instead of internal ones, and shares as numbers', () => {
  const classes = { workload: 6, workload_idle: 2, cluster_idle: 0, unmeasured: 0, total: 8 }
  const idle = { workload: 0, workload_idle: 0, cluster_idle: 3.25, unmeasured: 0, total: 3.25 }
  const costs = {
    by_namespace: [
      { namespace: 'shop', ...classes },
      { namespace: '__idle__', ...idle },
    ],
    by_node: [{ node: 'ip-10-0-1-2.internal', node_uid: 'a', ...classes, cluster_idle: 4, total: 12 }],
  } as unknown as IdleCosts
  expect(namespaceCsv(costs, lead)).toEqual([
    ['From', 'To', 'Cluster', 'Namespace', 'Efficiency', 'Idle $', 'Total $'],
    [...period, 'shop', '0.75', '2', '8'],
    [...period, 'Unallocated', '', '3.25', '3.25'],
  ])
  expect(nodeCsv(costs, lead)).toEqual([
    ['From', 'To', 'Cluster', 'Node', 'Used share', 'Idle $', 'Total $'],
    [...period, 'ip-10-0-1-2.internal', '0.5', '6', '12'],
  ])
})

test('budgets: the period of each budget, its clusters by name, and the past periods', () => {
  const forecast = {
    ...window,
    spent: 120.5,
    expected: 240.25,
    band80: { lower: 200.125, upper: 300.5 },
    outlook: 'sure',
  }
  const budget = {
    id: 'bud_1',
    name: 'Shop',
    scope: { clusters: ['cls_1'], namespaces: ['shop'] },
    amount: 200,
    unassigned: null,
    parent_id: null,
    current: { key: '2026-11', amount: 241, forecast },
    past: [
      { key: '2026-10', from: 'a', to: 'b', amount: 200, usd: 150.5, frozen: true, hours: 744, hours_with_data: 380 },
    ],
  } as unknown as Budget
  const nameOf = (id: string) => (id === 'cls_1' ? 'prod' : id)
  const [row] = records(budgetsCsv([budget], nameOf))
  expect(row).toMatchObject({ From: window.from, To: window.to, Cluster: 'prod', Budget: 'Shop', 'Spent $': '120.5' })
  expect(row).toMatchObject({ 'Amount $': '241', 'Share spent': '0.5', 'Forecast, 80 % $': '200.125–300.5' })
  const [past] = records(pastPeriodsCsv([budget], nameOf))
  expect(past).toMatchObject({
    Cluster: 'prod',
    Budget: 'Shop',
    Period: '2026-10',
    State: 'Final, 380 of 744 hours with data',
    'Cost $': '150.5',
    'Over / under $': '-49.5',
  })
})

test('clusters: a cluster without a cost has an empty cell', () => {
  const cluster = {
    id: 'cls_1',
    name: 'prod',
    status: 'pending',
    provider: 'aws',
    region: 'eu-west-1',
    node_count: null,
    pod_count: 3,
    monthly_cost: 0,
    agent: { last_seen_at: null },
  } as unknown as Cluster
  const [row] = records(clustersCsv([cluster], { as_of: window.to } as Overview))
  expect(row).toMatchObject({ 'Complete through': window.to, Cluster: 'prod', Nodes: '', Pods: '3' })
  expect(row).toMatchObject({ Location: 'AWS eu-west-1', 'Total $/month': '', 'Last report': '' })
})
