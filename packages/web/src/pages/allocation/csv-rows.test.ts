import type { Allocation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { csvRows } from './csv-rows.ts'

const cost = (total: number): Allocation['steps'][number]['rest']['cost'] => ({
  total,
  cpu: total,
  memory: 0,
  gpu: 0,
  storage: 0,
  load_balancer: 0,
  overhead: 0,
  shared_idle: 0,
  shared_overhead: 0,
  shared_namespaces: 0,
  workload: total / 4,
  workload_idle: (3 * total) / 4,
  cluster_idle: 0,
  unmeasured: 0,
  efficiency: 0.25,
  estimated: 0,
  unpriced: false,
  unpriced_parts: [],
})

const allocation = {
  steps: [
    {
      rows: [{ names: { workload: 'shop/Deployment/web' }, cost: cost(2) }],
      rest: { rows: 3, cost: cost(1) },
      idle: cost(4),
      unmounted: null,
      unattached: null,
      overhead: null,
    },
  ],
} as unknown as Allocation

test('column names are unique for every grouping', () => {
  for (const by of ['workload', 'namespace', 'label:team']) {
    const [header = []] = csvRows(allocation, by)
    expect(new Set(header).size).toBe(header.length)
    expect(header[0]).toBe(by)
  }
})

test('the rows add up to the total, including the row that sums up the others', () => {
  const [header = [], ...rows] = csvRows(allocation, 'workload')
  const total = rows.reduce((sum, row) => sum + Number(row[header.indexOf('total_usd')]), 0)
  expect(total).toBe(7)
  expect(rows.map(([name]) => name)).toEqual(['shop/Deployment/web', '__other__', '__idle__'])
  expect(rows[0]?.[header.indexOf('workload_usd')]).toBe('0.5')
})
