import { expect, test } from 'vitest'
import { visibleChanges } from './budget-history.ts'

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
