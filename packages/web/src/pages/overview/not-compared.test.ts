import type { Overview } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { notCompared } from './not-compared.ts'

const clusters = ['kontor', 'office', 'shop'].map((name) => ({ id: `cls_${name}`, name })) as Overview['clusters']

test.each([
  [[], ''],
  [['cls_kontor'], 'excluding kontor (no data 7 days ago)'],
  [['cls_kontor', 'cls_office'], 'excluding kontor and office (no data 7 days ago)'],
  [['cls_kontor', 'cls_office', 'cls_shop'], 'excluding 3 clusters (no data 7 days ago)'],
])('up to two excluded clusters are named: %j', (ids, words) => {
  expect(notCompared({ clusters, not_compared: ids })).toBe(words)
})
