import type { Budget, Outlook } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { certainty, costWords, excessOf, goingOver, scopeWords, treeRows, unassignedWords, verdict } from './budgets.ts'

const aBudget = (id: string, outlook: Outlook, change: Partial<Budget> = {}) =>
  ({
    id,
    parent_id: null,
    current: {
      key: '2026-11',
      amount: 2000,
      forecast: {
        to: '2026-12-01T00:00:00Z',
        spent: 1152,
        middle: 2213,
        band80: { lower: 2140, upper: 2310 },
        outlook,
      },
    },
    ...change,
  }) as Budget

test('a budget shows its forecast range, its last day and its certainty', () => {
  const training = aBudget('a', 'sure')
  expect(verdict(training)).toBe('$2,140–$2,310 by 30 Nov, budget $2,000')
  expect(certainty(training)).toBe('The low end of the 80 % forecast range is $140 above the budget.')
  expect(excessOf(training)).toBe(213)
})

test('the most certain excess comes first, and budgets on track are not listed', () => {
  const all = [aBudget('likely', 'likely'), aBudget('fine', 'within'), aBudget('over', 'over'), aBudget('sure', 'sure')]
  expect(goingOver(all).map(({ id }) => id)).toEqual(['over', 'sure', 'likely'])
})

test('children follow their parent, and a child of an invisible parent is at the top level', () => {
  const all = [
    aBudget('child', 'within', { parent_id: 'root' }),
    aBudget('root', 'within'),
    aBudget('orphan', 'within', { parent_id: 'hidden' }),
    aBudget('leaf', 'within', { parent_id: 'child' }),
  ]
  expect(treeRows(all).map(({ budget, depth }) => `${depth} ${budget.id}`)).toEqual([
    '0 root',
    '1 child',
    '2 leaf',
    '0 orphan',
  ])
})

test.each([
  [{}, 'all cost'],
  [{ teams: ['storefront', '__none__'] }, 'team is storefront or unowned'],
  [{ clusters: ['cls_1'], labels: ['tier=gold'] }, 'cluster is prod and label is tier=gold'],
])('the scope %j reads "%s"', (scope, words) => {
  expect(scopeWords(scope, () => 'prod')).toBe(words)
})

test('a budget without shared cost says so, unless it has the cost of whole clusters', () => {
  const words = (scope: Budget['scope'], share: boolean) =>
    costWords(aBudget('a', 'within', { scope, share }), () => 'prod')
  expect([
    words({ teams: ['red'] }, false),
    words({ teams: ['red'] }, true),
    words({ clusters: ['cls_1'] }, false),
  ]).toEqual(['team is red, without shared cost', 'team is red', 'cluster is prod'])
})

test('what is not assigned to children', () => {
  expect([unassignedWords(1200), unassignedWords(-300)]).toEqual([
    '$1,200 not assigned',
    '$300 over-assigned to child budgets',
  ])
})
