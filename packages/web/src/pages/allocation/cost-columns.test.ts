import { expect, test } from 'vitest'
import { costColumns, type Cost } from './cost-columns.ts'

/** A GPU, its idle part handed to it, a volume, a balancer and a share of what serves everybody. */
const cost: Cost = {
  total: 131,
  ...{ cpu: 20, memory: 10, gpu: 60, storage: 8, load_balancer: 4, overhead: 2 },
  ...{ shared_idle: 16, shared_overhead: 1, shared_namespaces: 10 },
  ...{ workload: 65, workload_idle: 20, cluster_idle: 21, unmeasured: 60 },
  ...{ efficiency: 0.25, estimated: 0, unpriced: false, unpriced_parts: [] },
}

test('the columns of a row add up to all that it costs', () => {
  const columns = costColumns([cost])
  expect(columns.map(({ header, of }) => [header, of(cost)])).toEqual([
    ['Used', 5],
    ['Not measured', 60],
    ['Requested but unused', 20],
    ['Unallocated', 21],
    ['Storage, load balancers, fees', 25],
  ])
  expect(columns.reduce((sum, { of }) => sum + of(cost), 0)).toBe(cost.total)
})

test('where everything was measured there is no column for gaps', () => {
  expect(costColumns([{ ...cost, unmeasured: 0 }]).map(({ header }) => header)).not.toContain('Not measured')
})
