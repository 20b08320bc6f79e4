import type { Allocation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { explorerCsv } from './explorer-csv.ts'
import { explorerLines, orderLines, readSort, sortColumns } from './explorer-lines.ts'

const costOf = (total: number) => ({
  ...{ total, cpu: total, memory: 0, gpu: 0, storage: 0, load_balancer: 0, overhead: 0 },
  ...{ shared_idle: 0, shared_overhead: 0, shared_namespaces: 0 },
  ...{ workload: total / 4, workload_idle: (3 * total) / 4, cluster_idle: 0, unmeasured: 0 },
  ...{ efficiency: 0.25, estimated: 0, unpriced: false, unpriced_parts: [] },
})
const compared = (now: number, before: number) => ({
  total: before,
  difference: now - before,
  percent: before === 0 ? null : (100 * (now - before)) / before,
})
const row = (name: string, now: number, before: number) => ({
  names: { workload: `${name}/Deployment/web` },
  cost: costOf(now),
  compare: compared(now, before),
})

const allocation = {
  window: { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  clusters: [{ id: 'cls_1', name: 'production' }],
  compare: { window: {} },
  steps: [
    {
      rows: [
        {
          ...row('x', 6, 4),
          names: { team: 'blue' },
          rows: [row('shop', 4, 4), row('ci', 1, 0)],
          rest: { rows: 3, cost: costOf(1), compare: compared(1, 0) },
        },
        {
          ...row('x', 2, 8),
          names: { team: '__none__' },
          rows: [row('data', 2, 8)],
          rest: { rows: 0, cost: costOf(0) },
        },
      ],
      rest: { rows: 0, cost: costOf(0) },
      idle: costOf(5),
      unmounted: null,
      unattached: null,
      overhead: null,
      compare: { total: compared(13, 12), rest: compared(0, 0), idle: compared(5, 0) },
    },
  ],
} as unknown as Allocation

const levels = ['team', 'workload']
const [step] = allocation.steps
if (!step) throw new Error('no step')
const { lines, columns } = explorerLines(step, levels)

test('each row contains its rows of the second level, and the others of them', () => {
  expect(lines.map(({ word, lines: inner }) => [word, inner.map((each) => each.word)])).toEqual([
    ['blue', ['shop/web', 'ci/web', 'Others']],
    ['no team', ['data/web']],
    ['Unallocated', []],
  ])
  expect(lines[0]?.shown).toMatchObject({ total: '$6.00', previous: '$4.00', change: '+$2.00', percent: '+50.0 %' })
  expect(lines[2]?.shown).toMatchObject({ percent: '–', efficiency: '–' })
})

test('open rows show their second level, sorted as the first', () => {
  const all = sortColumns(columns, true)
  const total = all.find(({ id }) => id === 'total')
  const order = { keyOf: total?.keyOf ?? (() => null), isDescending: false }
  expect(orderLines(lines, (key) => key === '/blue', order).map(({ word }) => word)).toEqual([
    'no team',
    'Unallocated',
    'blue',
    'ci/web',
    'Others',
    'shop/web',
  ])
  expect(orderLines(lines, () => false)).toHaveLength(3)
})

test('the CSV has the period, the cluster, plain names and the columns of the screen, and adds up', () => {
  const [head = [], ...rows] = explorerCsv(allocation, levels)
  expect(head).toEqual([
    ...['From', 'To', 'Cluster', 'Team', 'Workload'],
    ...['Used $', 'Requested but unused $', 'Unallocated $', 'Storage, load balancers, fees $', 'Total $'],
    ...['Previous $', 'Change $', 'Change %', 'Efficiency'],
  ])
  expect(rows.map((cells) => cells.slice(0, 5))).toEqual([
    ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'production', 'blue', 'shop/Deployment/web'],
    ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'production', 'blue', 'ci/Deployment/web'],
    ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'production', 'blue', 'Others'],
    ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'production', 'no team', 'data/Deployment/web'],
    ['2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z', 'production', 'Unallocated', ''],
  ])
  expect(rows.flat().filter((cell) => cell.startsWith('__'))).toEqual([])
  const at = head.indexOf('Total $')
  expect(rows.reduce((sum, cells) => sum + Number(cells[at]), 0)).toBe(13)
})

test.each(sortColumns(columns, true).map(({ id }) => [id]))('column %s sorts in both directions', (id) => {
  expect(readSort(id)).toEqual({ id, isDescending: false })
  expect(readSort(`-${id}`)).toEqual({ id, isDescending: true })
})

test('the whole table shows either whole dollars or cents', () => {
  const large = { ...step, rows: [{ ...row('x', 5000, 40), names: { team: 'blue' }, rows: [row('shop', 3.25, 1)] }] }
  const [line] = explorerLines(large, levels).lines
  expect(line?.shown).toMatchObject({ total: '$5,000', previous: '$40', change: '+$4,960' })
  expect(line?.lines[0]?.shown).toMatchObject({ total: '$3', previous: '$1', change: '+$2' })
})

test('in the row of a cluster, unallocated cost has no owner, and other rows name their cluster', () => {
  const inner = [
    { ...row('x', 4, 4), names: { namespace: '__idle__' } },
    { ...row('x', 2, 2), names: { namespace: 'shop' } },
  ]
  const prod = { ...step, rows: [{ ...row('x', 6, 6), names: { cluster: 'prod' }, rows: inner }] }
  const [line] = explorerLines(prod, ['cluster', 'namespace']).lines
  expect(line?.lines.map(({ name, isOwned, cluster }) => [name, isOwned, cluster])).toEqual([
    ['__idle__', false, 'prod'],
    ['shop', true, 'prod'],
  ])
})
