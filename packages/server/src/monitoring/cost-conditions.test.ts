import { expect, test } from 'vitest'
import { coverageCondition, idleCondition, unownedCondition, unpricedCondition } from './cost-conditions.ts'
import type { ClusterFigures } from './queries/cluster-figures.ts'

const now = new Date('2026-03-08T12:00:00Z')
const figures: ClusterFigures = {
  newest: new Date('2026-03-08T11:00:00Z'),
  hours: 168,
  dayHours: 24,
  capacityUsd: 336,
  unallocatedUsd: 168,
  unpricedShare: 0.01,
  coverage: 0.9,
}
const aCluster = (changes: Partial<ClusterFigures> = {}) => ({
  clusterId: 'cls_1',
  name: 'prod',
  figures: { ...figures, ...changes },
})
const limits = { idle_percent: 40, idle_usd_per_month: 500 }

test('idle cost needs both the share and the amount', () => {
  expect(idleCondition(aCluster(), limits, now)).toMatchObject({
    isTrue: true,
    content: { title: '50 % of the compute cost of cluster prod is unallocated', money: { amount: 730 } },
  })
  expect(idleCondition(aCluster(), { ...limits, idle_percent: 50 }, now).isTrue).toBe(false)
  expect(idleCondition(aCluster(), { ...limits, idle_usd_per_month: 730 }, now).isTrue).toBe(false)
})

test('a cluster without recent data is neither true nor false', () => {
  for (const newest of [null, new Date('2026-03-08T08:00:00Z')]) {
    const silent = aCluster({ newest })
    expect(idleCondition(silent, limits, now).isTrue).toBeNull()
    expect(unpricedCondition(silent, { unpriced_percent: 2 }, now).isTrue).toBeNull()
    expect(coverageCondition(silent, { coverage_percent: 50 }, now).isTrue).toBeNull()
  }
  expect(coverageCondition(aCluster({ coverage: null }), { coverage_percent: 50 }, now).isTrue).toBeNull()
})

test('the share without a price, and usage coverage', () => {
  expect(unpricedCondition(aCluster(), { unpriced_percent: 2 }, now).isTrue).toBe(false)
  expect(unpricedCondition(aCluster({ unpricedShare: 0.021 }), { unpriced_percent: 2 }, now).isTrue).toBe(true)
  expect(coverageCondition(aCluster(), { coverage_percent: 50 }, now).isTrue).toBe(false)
  expect(coverageCondition(aCluster({ coverage: 0.49 }), { coverage_percent: 50 }, now).isTrue).toBe(true)
})

test('a namespace without a team belongs to its namespace', () => {
  const unowned = { namespace: 'shop', usdPerMonth: 101 }
  expect(unownedCondition(aCluster(), unowned, { unowned_usd_per_month: 100 })).toMatchObject({
    entity: 'cls_1/shop',
    isTrue: true,
    namespace: 'shop',
  })
})
