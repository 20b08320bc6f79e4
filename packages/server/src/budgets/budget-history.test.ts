import { expect, test } from 'vitest'
import { visibleChanges, withVisibleParents } from './budget-history.ts'

const shop = { namespaces: ['shop'] }
const all = {}

/** Newest first: the budget had the whole fleet as scope, then the namespace shop. */
const changes = [
  { before: { amount: 60 }, after: { amount: 50 } },
  { before: { scope: all }, after: { scope: shop } },
  { before: { amount: 900 }, after: { amount: 1000 } },
  { before: {}, after: { scope: all, amount: 900 } },
]

test('a limited role sees the changes since the scope lies inside its limits', () => {
  expect(visibleChanges(changes, shop, (scope) => scope.namespaces?.[0] === 'shop')).toEqual(changes.slice(0, 1))
  expect(visibleChanges(changes, shop, () => true)).toEqual(changes)
})

test('a parent that the caller may not see is hidden in the history', () => {
  const change = { before: { parent_id: 'bud_hidden' }, after: { parent_id: 'bud_seen', amount: 5 } }
  expect(withVisibleParents(change, (id) => id === 'bud_seen')).toEqual({
    before: { parent_id: null },
    after: { parent_id: 'bud_seen', amount: 5 },
  })
})
