import type { Overview } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { notCompared } from './not-compared.ts'

const clusters = ['kontor', 'office', 'shop'].map((name) => ({ id: `cls_${name}`, name })) as Overview['clusters']

test.each([
  [[], ''],
  [['cls_kontor'], 'without kontor, not known then'],
  [['cls_kontor', 'cls_office'], 'without kontor and office, not known then'],
  [['cls_kontor', 'cls_office', 'cls_shop'], 'without 3 clusters, not known then'],
])('clusters in no comparison are named while they are few: %j', (ids, words) => {
  expect(notCompared({ clusters, not_compared: ids })).toBe(words)
})
