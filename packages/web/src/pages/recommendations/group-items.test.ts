import type { Recommendation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { sumDollars } from '../../format/money.ts'
import { foldQuiet, groupItems, groupOf, keyOf, toItems, type Item } from './group-items.ts'

const aGroup = (namespace: string, count: number) => ({
  ...{ cluster_id: null, namespace, workload: null, rule_id: null, verification: null },
  ...totalOf(count),
})
const totalOf = (count: number) => ({ count, estimated_savings: 10 * count, bankable_savings: null })
const rowOf = (id: string, estimated: number, bankable: number | null = null) =>
  ({ id, estimated_savings: estimated, bankable_savings: bankable }) as Recommendation
const rows = ['rec_1', 'rec_2'].map((id) => rowOf(id, 10))

const shop = aGroup('shop', 2)
const tools = aGroup('tools', 5)

test('the last row sums up the groups that are not named, so that the list adds up', () => {
  const items = groupItems({ groups: [shop, tools], rest: totalOf(4) }, new Set(), () => undefined)
  expect(items.map(({ kind }) => kind)).toEqual(['group', 'group', 'rest'])
  expect(items.at(-1)).toMatchObject({ rest: { count: 4, estimated_savings: 40 } })
})

test('there is no last row if every group is named', () => {
  const items = groupItems({ groups: [shop], rest: totalOf(0) }, new Set(), () => undefined)
  expect(items.map(({ kind }) => kind)).toEqual(['group'])
})

test('an open group shows its rows, numbered across all groups, and the number of hidden rows', () => {
  const items = groupItems({ groups: [shop, tools], rest: totalOf(0) }, new Set([shop, tools].map(keyOf)), () => rows)
  expect(items.map(({ kind }) => kind)).toEqual(['group', 'row', 'row', 'group', 'row', 'row', 'more'])
  expect(items.flatMap((item) => (item.kind === 'row' ? [item.place] : []))).toEqual([0, 1, 2, 3])
  expect(items.at(-1)).toMatchObject({ shown: 2, group: { count: 5 } })
})

test('a row knows its group, and has none in a list without groups', () => {
  const items = groupItems({ groups: [shop, tools], rest: totalOf(0) }, new Set([keyOf(tools)]), () => rows)
  expect(groupOf(items, 'rec_2')).toBe(tools)
  expect(groupOf(toItems(rows), 'rec_2')).toBeUndefined()
})

const centsOf = (text: string) => Math.round(100 * Number(text.replace(/[$,]/g, '')))
const shownCents = (items: readonly Item[], name: 'bankable' | 'estimated') =>
  items.flatMap((item) => (item.kind === 'row' ? centsOf(item.amounts[name]) : []))
const sum = (cents: readonly number[]) => cents.reduce((total, each) => total + each, 0)

test.each([0.334, 0.335, 33.335, 333.5, 1234.5])('three rows of $%d add up to the total in the header', (usd) => {
  const items = toItems(['a', 'b', 'c'].map((id) => rowOf(id, usd, usd / 7)))
  expect(sum(shownCents(items, 'estimated'))).toBe(centsOf(sumDollars(3 * usd)))
  expect(sum(shownCents(items, 'bankable'))).toBe(centsOf(sumDollars((3 * usd) / 7)))
})

test('loaded rows are shown as parts of the total of the whole list', () => {
  const loaded = ['a', 'b'].map((id) => rowOf(id, 600.4))
  const items = toItems(loaded, { estimated_savings: 2401.6, bankable_savings: null })
  // The rows that are not loaded are the missing $1,201 of $2,402.
  expect(items.map((item) => (item.kind === 'row' ? item.amounts.estimated : ''))).toEqual(['$601', '$600'])
})

test('the rows of an open group add up to its amount', () => {
  const group = { ...aGroup('shop', 3), estimated_savings: 1000.5, bankable_savings: 100.5 }
  const inside = ['a', 'b', 'c'].map((id) => rowOf(id, 333.5, 33.5))
  const items = groupItems({ groups: [group, tools], rest: totalOf(0) }, new Set([keyOf(group)]), () => inside)
  const [head] = items
  expect(head?.kind).toBe('group')
  if (head?.kind !== 'group') return
  expect(sum(shownCents(items, 'estimated'))).toBe(centsOf(head.amounts.estimated))
  expect(sum(shownCents(items, 'bankable'))).toBe(centsOf(head.amounts.bankable))
})

test('rows without money are one line per rule at the end, and urgent ones never', () => {
  const row = (id: string, usd: number, rule: string, severity = 'low') =>
    ({ ...rowOf(id, usd, usd), rule_id: rule, severity }) as ReturnType<typeof rowOf>
  const list = toItems([
    row('a', 5, 'resize'),
    row('b', 0, 'owner'),
    row('c', 0, 'owner'),
    row('d', 0, 'heap', 'critical'),
    row('e', 0, 'quota'),
  ])
  const shown = (items: readonly Item[]) =>
    items.map((item) => (item.kind === 'row' ? [item.row.id, item.place] : item.key))
  expect(shown(foldQuiet(list, new Set()))).toEqual([['a', 0], ['d', 1], 'quiet owner', ['e', 2]])
  expect(shown(foldQuiet(list, new Set(['quiet owner'])))).toEqual([
    ['a', 0],
    ['d', 1],
    'quiet owner',
    ['b', 2],
    ['c', 3],
    ['e', 4],
  ])
})
