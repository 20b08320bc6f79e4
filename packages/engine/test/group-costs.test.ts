import { expect, test } from 'vitest'
import { NO_CHARGE, type Charge } from '../src/pricing/rate.ts'
import { anOwner } from '../src/allocation/builders.ts'
import type { CostRow } from '../src/allocation/cost-row.ts'
import { groupCosts } from './group-costs.ts'

const costs = (usd: bigint, more: Partial<Charge> = {}): Charge => ({ ...NO_CHARGE, usd, ...more })

const rows: CostRow[] = [
  {
    owner: anOwner({ namespace: 'shop', workload: 'web', labels: { team: 'blue' } }),
    node: { name: 'n1', pool: 'big' },
    charges: { cpu: costs(3n), memory: costs(1n) },
  },
  {
    owner: anOwner({ namespace: 'shop', workload: 'web', controllerKind: 'StatefulSet' }),
    node: { name: 'n2', pool: 'big' },
    charges: { cpu: costs(2n, { estimatedUsd: 2n }) },
  },
  { owner: anOwner({ namespace: 'jobs', workload: 'web' }), charges: { storage: costs(5n, { unpriced: true }) } },
  { owner: { kind: 'idle' }, node: { name: 'n1', pool: 'big' }, charges: { cpu: costs(7n) } },
]

const sums = (by: Parameters<typeof groupCosts>[1]) => groupCosts(rows, by).map(({ names, usd }) => [...names, usd])

test('by namespace, the largest first and idle among them', () => {
  expect(sums(['namespace'])).toEqual([
    ['__idle__', 7n],
    ['shop', 6n],
    ['jobs', 5n],
  ])
})

test('workloads of the same name in another kind or namespace are separate', () => {
  expect(sums(['workload']).map(([name]) => name)).toEqual([
    '__idle__',
    'jobs/Deployment/web',
    'shop/Deployment/web',
    'shop/StatefulSet/web',
  ])
})

test('by label, without the label, and without an owner', () => {
  expect(sums(['label:team'])).toEqual([
    ['__idle__', 7n],
    ['__none__', 7n],
    ['blue', 4n],
  ])
})

test('by node and pool, with a group for costs without a node', () => {
  expect(sums(['node', 'nodePool'])).toEqual([
    ['n1', 'big', 11n],
    ['__none__', '__none__', 5n],
    ['n2', 'big', 2n],
  ])
})

test('without dimensions there is one group, with its estimated share and its unpriced flag', () => {
  expect(groupCosts(rows, [])).toMatchObject([{ names: [], usd: 18n, estimatedUsd: 2n, unpriced: true }])
})
