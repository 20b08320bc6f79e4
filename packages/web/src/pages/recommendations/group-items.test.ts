import type { Recommendation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { groupItems, groupOf, keyOf, toItems } from './group-items.ts'

const aGroup = (namespace: string, count: number) => ({
  ...{ cluster_id: null, namespace, workload: null, rule_id: null, verification: null },
  ...totalOf(count),
})
const totalOf = (count: number) => ({ count, estimated_savings: 10 * count, bankable_savings: null })
const rows = ['rec_1', 'rec_2'].map((id) => ({ id }) as Recommendation)

const shop = aGroup('shop', 2)
const tools = aGroup('tools', 5)

test('what is in no group that is named is the last row, so that the list adds up', () => {
  const items = groupItems({ groups: [shop, tools], rest: totalOf(4) }, new Set(), () => undefined)
  expect(items.map(({ kind }) => kind)).toEqual(['group', 'group', 'rest'])
  expect(items.at(-1)).toMatchObject({ rest: { count: 4, estimated_savings: 40 } })
})

test('where every group is named nothing is left', () => {
  const items = groupItems({ groups: [shop], rest: totalOf(0) }, new Set(), () => undefined)
  expect(items.map(({ kind }) => kind)).toEqual(['group'])
})

test('an open group shows its rows, counted through over all groups, and how many more there are', () => {
  const items = groupItems({ groups: [shop, tools], rest: totalOf(0) }, new Set([shop, tools].map(keyOf)), () => rows)
  expect(items.map(({ kind }) => kind)).toEqual(['group', 'row', 'row', 'group', 'row', 'row', 'more'])
  expect(items.flatMap((item) => (item.kind === 'row' ? [item.place] : []))).toEqual([0, 1, 2, 3])
  expect(items.at(-1)).toMatchObject({ shown: 2, group: { count: 5 } })
})

test('a row knows the group in which it is listed, and without groups none', () => {
  const items = groupItems({ groups: [shop, tools], rest: totalOf(0) }, new Set([keyOf(tools)]), () => rows)
  expect(groupOf(items, 'rec_2')).toBe(tools)
  expect(groupOf(toItems(rows), 'rec_2')).toBeUndefined()
})
