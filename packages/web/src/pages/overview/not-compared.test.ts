import type { Overview } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { notCompared } from './not-compared.ts'

const clusters = ['kontor', 'office', 'shop'].map((name) => ({ id: `cls_${name}`, name })) as Overview['clusters']

test.each([
  [[], ''],
  [['cls_kontor'], 'without kontor (no data then)'],
  [['cls_kontor', 'cls_office'], 'without kontor and office (no data then)'],
  [['cls_kontor', 'cls_office', 'cls_shop'], 'without 3 clusters (no data then)'],
])('up to two excluded clusters are named: %j', (ids, words) => {
  expect(notCompared({ clusters, not_compared: ids })).toBe(words)
})
