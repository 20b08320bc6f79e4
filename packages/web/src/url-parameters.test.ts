import { expect, test } from 'vitest'
import {
  defaultSort,
  filtersOf,
  fromList,
  onlyKnown,
  readChart,
  readExplorer,
  readFilters,
  readHistoryState,
  readWithin,
} from './url-parameters.ts'

const none = { cluster_id: null, namespace: null, workload: null, rule_id: null, verification: null }
const total = { count: 3, estimated_savings: 30, bankable_savings: 20 }

test.each([
  ['a workload, not workloads with the same prefix', { namespace: 'shop', workload: 'web' }],
  ['text that is not a workload', { namespace: 'shop', workload: '__none__' }],
  ['a namespace', { namespace: 'shop' }],
])('the URL of a whole group has the filter %s', (_what, names) => {
  const filters = filtersOf({ ...none, ...names, ...total })
  expect(filters).toEqual(names)
  expect(readFilters(filters)).toEqual(names)
})

test('groups by cluster and by rule filter by cluster and by rule', () => {
  expect(filtersOf({ ...none, cluster_id: 'cls_1', ...total })).toEqual({ cluster: 'cls_1' })
  expect(filtersOf({ ...none, rule_id: 'gpu_idle', ...total })).toEqual({ rule: 'gpu_idle' })
})

test('only the chart settings are read from the URL', () => {
  expect(readChart({ scale: 'log' })).toEqual({ scale: 'log' })
  expect(readChart({ compare: 'off' })).toEqual({ compare: 'off' })
  expect([readChart({ scale: 'cube', compare: 'on' }), readChart({})]).toEqual([{}, {}])
})

test('the page of a recommendation has the filters of its list, and the sort order even if it is the default', () => {
  expect(fromList({ namespace: 'shop' })).toEqual({ namespace: 'shop', sort: defaultSort })
  expect(fromList({ sort: '-created_at' })).toEqual({ sort: '-created_at' })
})

test('a recommendation opened from a group has the filters of the group and of the list', () => {
  const group = { ...none, namespace: 'data', workload: 'lake', ...total }
  const opened = fromList({ namespace: 'data,shop', group: 'workload' }, group)
  const within = { namespace: 'data', workload: 'lake' }
  expect(opened).toEqual({ namespace: 'data,shop', group: 'workload', sort: defaultSort, within })
  expect(readWithin(opened)).toEqual({ within })
  const nonsense = [{}, { within: 'lake' }, { within: null }, { within: { rule: 3, text: 'x' } }]
  for (const search of nonsense) expect(readWithin(search)).toEqual({})
})

test('the state of the savings history is read from the URL if it is known', () => {
  expect(readHistoryState({ state: 'reverted' })).toEqual({ state: 'reverted' })
  expect(readHistoryState({ state: 'lost' })).toEqual({})
})

test('values that the service would reject are dropped, and the others stay', () => {
  const known = {
    status: 'pending,approved',
    risk: 'low',
    category: 'gpu',
    sort: '-severity',
    group: 'rule',
    verification: '__none__',
  }
  expect(readFilters(known)).toEqual(known)
  expect(readFilters({ status: 'pending,lost', risk: 'none', category: 'x', sort: 'name', group: 'y' })).toEqual({
    status: 'pending',
  })
  expect(readFilters({ text: 'x'.repeat(10_000), surprise: '1', namespace: 'shop' })).toEqual({
    text: 'x'.repeat(200),
    namespace: 'shop',
  })
})

test('filters of the explorer without their form are dropped', () => {
  const known = { label: 'team=blue,app=', workload: 'shop/Deployment/web' }
  expect(readExplorer(known)).toEqual(known)
  expect(readExplorer({ label: 'team', workload: 'web', surprise: '1', namespace: 'shop' })).toEqual({
    namespace: 'shop',
  })
})

test('parameters that a page does not read are removed, except the cluster', () => {
  const search = { cluster: 'cls_1', status: 'lost', surprise: 1, namespace: 'shop' }
  expect({ ...search, ...onlyKnown(search, readFilters(search)) }).toStrictEqual({
    cluster: 'cls_1',
    status: undefined,
    surprise: undefined,
    namespace: 'shop',
  })
})
