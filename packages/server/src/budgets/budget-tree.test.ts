import { expect, test } from 'vitest'
import { demandTree } from './budget-tree.ts'

const parent = {
  budget_id: 'bud_1',
  name: 'Secret',
  scope: { teams: ['red'] },
  counts_shared: true,
  period: 'month' as const,
  parent_id: null,
}
const child = { ...parent, budget_id: 'bud_2', name: 'Shop', parent_id: 'bud_1' }

const demand = (budget: Parameters<typeof demandTree>[0], parentBefore: string | null) =>
  demandTree(budget, [parent], { maySee: () => false, parentBefore })

test('a parent that the editor may not see is missing', () => {
  expect(() => demand(child, null)).toThrow('there is no budget bud_1')
})

test('a child counts shared cost if its parent does, else it could cost more than its parent', () => {
  const [sees, own] = [
    { maySee: () => true, parentBefore: null },
    { ...child, counts_shared: false },
  ]
  expect(() => demandTree(own, [parent], sees)).toThrow('/share: Shop and Secret must both count shared cost')
  expect(() => demandTree(child, [{ ...parent, counts_shared: false }], sees)).toThrow('/share')
  expect(() => demandTree(own, [{ ...parent, scope: { clusters: ['cls_1'] } }], sees)).toThrow('the scope of Shop')
  expect(() => demandTree(own, [{ ...parent, scope: {} }], sees)).not.toThrow()
})

test('a hidden parent can be kept, and its name stays hidden', () => {
  expect(() => demand(child, 'bud_1')).not.toThrow()
  expect(() => demand({ ...child, scope: {} }, 'bud_1')).toThrow('the scope of its parent')
})
