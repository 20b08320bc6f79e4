import { expect, test } from 'vitest'
import { costColumns, type Cost } from './cost-columns.ts'

/** A GPU with its share of idle cost, a volume, a load balancer and a share of the shared namespaces. */
const cost: Cost = {
  total: 131,
  ...{ cpu: 20, memory: 10, gpu: 60, storage: 8, load_balancer: 4, overhead: 2 },
  ...{ shared_idle: 16, shared_overhead: 1, shared_namespaces: 10 },
  ...{ workload: 65, workload_idle: 20, cluster_idle: 21, unmeasured: 60 },
  ...{ efficiency: 0.25, estimated: 0, unpriced: false, unpriced_parts: [] },
}

test('the columns of a row add up to its total', () => {
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

test('there is no column for unmeasured cost if everything was measured', () => {
  expect(costColumns([{ ...cost, unmeasured: 0 }]).map(({ header }) => header)).not.toContain('Not measured')
})
