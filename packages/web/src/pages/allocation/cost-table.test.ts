import type { Allocation } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { costTable } from './cost-table.ts'

type Step = Allocation['steps'][number]

const none = {
  ...{ used: 0, workload: 0, workload_idle: 0, cluster_idle: 0, shared_idle: 0, shared_cluster_idle: 0, unmeasured: 0 },
  ...{ storage: 0, load_balancer: 0, overhead: 0, shared_overhead: 0, shared_namespaces: 0 },
}
const costOf = (total: number) => ({ ...none, storage: total, total }) as unknown as Step['rest']['cost']
const aStep = (owners: Record<string, number>, more: Record<string, number> = {}) =>
  ({
    rows: Object.entries(owners).map(([name, total]) => ({ names: { namespace: name }, cost: costOf(total) })),
    rest: { rows: more.rest === undefined ? 0 : 3, cost: costOf(more.rest ?? 0) },
    ...Object.fromEntries(
      Object.entries(more).flatMap(([kind, total]) => (kind === 'rest' ? [] : [[kind, costOf(total)]])),
    ),
  }) as unknown as Step

test('owners come first, then the other owners, then cost without an owner', () => {
  const { rows } = costTable(aStep({ shop: 5, data: 3 }, { rest: 2, overhead: 1, idle: 4 }), 'namespace')
  expect(rows.map(({ name }) => name)).toEqual(['shop', 'data', '__other__', '__idle__', '__overhead__'])
  expect(rows.filter(({ isOwned }) => !isOwned).map(({ name }) => name)).toEqual(['__idle__', '__overhead__'])
})

test('without other owners there is no row for them', () => {
  expect(costTable(aStep({ shop: 5 }), 'namespace').rows.map(({ name }) => name)).toEqual(['shop'])
})

test('a grouping that a row does not have leaves its name empty', () => {
  expect(costTable(aStep({ shop: 5 }), 'team').rows[0]?.name).toBe('')
})

test('law: every row and column of the step has an amount', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 20 }), (cents) => {
      const owners = Object.fromEntries(cents.map((each, index) => [`n${index}`, each / 100]))
      const { rows, columns, shown } = costTable(aStep(owners), 'namespace')
      expect(rows).toHaveLength(cents.length)
      expect(JSON.stringify(shown)).not.toMatch(/NaN|undefined/)
      expect(columns.length).toBeGreaterThan(0)
    }),
  )
})
