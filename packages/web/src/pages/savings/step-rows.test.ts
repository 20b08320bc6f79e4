import type { StepSavings } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { removedNodesText, healthRows, stepsCsv, totalSentence } from './step-rows.ts'

const counted = { hours: 168, oom_kills: 0, restarts: 3, throttled: 0.012 }
const aNode = (name: string, state: StepSavings['nodes'][number]['state']): StepSavings['nodes'][number] => ({
  ...{ name, pool: 'general', state, ended_at: null, replacement: null, promised: 411.72, off_the_bill: 0 },
})

const aRow = (more: Partial<StepSavings> = {}): StepSavings => ({
  ...{ id: 'stp_1', cluster_id: 'c', cluster_name: 'production', kind: 'free', title: 'Lower 8 requests in data' },
  ...{ is_in_plan: false, promised_at: '2026-11-04T00:00:00Z', applied_at: '2026-11-04T00:00:00Z' },
  ...{ changes: 8, changes_applied: 8, changes_reverted: 1, promised: 1235.16, off_the_bill: 823.44 },
  ...{ capacity_freed: 356.94, reverted: 54.78, not_observed: 0, price_difference: 0 },
  ...{ nodes_named: 3, nodes_gone: 2, resources_named: 0, resources_gone: 0 },
  nodes: [aNode('a', 'gone'), aNode('b', 'gone'), aNode('c', 'stays')],
  ...{ reverted_names: ['payments/tax'], observed_capacity: 20, state: 'partial', health: null },
  ...more,
})

test.each([
  { name: 'names the nodes that stay', row: aRow(), words: { main: '2 of 3', note: 'c still runs' } },
  {
    name: 'says that no node was replaced',
    row: aRow({ nodes_named: 1, nodes_gone: 1, nodes: [aNode('a', 'gone')] }),
    words: { main: '1 of 1', note: 'not replaced' },
  },
  {
    name: 'names replaced nodes',
    row: aRow({ nodes_named: 1, nodes_gone: 0, nodes: [aNode('a', 'replaced')] }),
    words: { main: '0 of 1', note: 'a was replaced' },
  },
  {
    name: 'counts cloud resources',
    row: aRow({ nodes_named: 0, nodes_gone: 0, nodes: [], resources_named: 14, resources_gone: 14 }),
    words: { main: '14 of 14', note: 'cloud resources' },
  },
  {
    name: 'values the freed requests of a step without nodes',
    row: aRow({ kind: 'rest', nodes_named: 0, nodes_gone: 0, nodes: [] }),
    words: { main: '–', note: 'no nodes in this step; frees requests worth $20.00' },
  },
  {
    name: 'hides nodes from a limited role',
    row: aRow({ nodes_named: null, nodes_gone: null, nodes: [] }),
    words: { main: '–', note: 'your role cannot see nodes' },
  },
])('$name', ({ row, words }) => {
  expect(removedNodesText(row)).toEqual(words)
})

test('the sentence below the table adds up', () => {
  expect(totalSentence(aRow())).toBe(
    'Bankable savings $1,235.16 = bill reduction $823.44 + capacity freed $356.94 + reverted $54.78.',
  )
  expect(totalSentence(aRow({ price_difference: -10, off_the_bill: 813.44 }))).toMatch(
    /^Bankable savings \$1,235\.16 − price difference \$10\.00 = bill reduction \$813\.44/,
  )
})

test('the CSV has one line for each step', () => {
  const nodes = [aNode('a', 'gone'), aNode('b', 'replaced'), aNode('c', 'stays'), aNode('d', 'unknown')]
  const [head = [], line = []] = stepsCsv([aRow({ nodes })])
  expect(line).toHaveLength(head.length)
  expect(line[head.indexOf('off_the_bill_usd_per_month')]).toBe('823.44')
  expect(line[head.indexOf('nodes_staying')]).toBe('c')
})

test('regressed containers come first, then the other containers of each step', () => {
  const regressed = {
    ...{ recommendation_id: 'rec_1', namespace: 'payments', workload: 'tax', container: 'app' },
    ...{ change: 'Lower the CPU request.', message: 'Throttling rose.', before: counted, since: counted },
    regressions: ['throttling' as const],
  }
  const rows = healthRows([
    aRow({ id: 'stp_2', health: { containers: 11, before: counted, since: counted, regressed: [] } }),
    aRow({ health: { containers: 7, before: counted, since: counted, regressed: [regressed] } }),
  ])
  expect(rows.map(({ name, below }) => [name, below])).toEqual([
    ['payments/tax', 'Lower 8 requests in data · Lower the CPU request.'],
    ['Lower 8 requests in data', '11 containers'],
    ['Lower 8 requests in data', '7 other containers'],
  ])
})
