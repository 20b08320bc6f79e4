import { expect, test } from 'vitest'
import { demandTree } from './budget-tree.ts'

const parent = {
  budget_id: 'bud_1',
  name: 'Secret',
  scope: { teams: ['red'] },
  period: 'month' as const,
  parent_id: null,
}
const child = { ...parent, budget_id: 'bud_2', name: 'Shop', parent_id: 'bud_1' }

const demand = (budget: Parameters<typeof demandTree>[0], parentBefore: string | null) =>
  demandTree(budget, [parent], { maySee: () => false, parentBefore })

test('a parent that the editor may not see is missing', () => {
  expect(() => demand(child, null)).toThrow('there is no budget bud_1')
})

test('a hidden parent can be kept, and its name stays hidden', () => {
  expect(() => demand(child, 'bud_1')).not.toThrow()
  expect(() => demand({ ...child, scope: {} }, 'bud_1')).toThrow('the scope of its parent')
})
