import { expect, test } from 'vitest'
import { hasOwnerPage, ownerSearch } from './owner-link.tsx'

test.each([
  ['workloads', 'shop/Deployment/cart', true],
  ['workloads', 'shop/Deployment/<img src=x>', false],
  ['workloads', 'shop/cart', false],
  ['namespaces', 'shop', true],
  ['teams', 'data platform', true],
  ['teams', 'red,blue', false],
  ['nodes', '', false],
] as const)('%s %s has a page: %s', (kind, name, expected) => {
  expect(hasOwnerPage(kind, name)).toBe(expected)
})

test('the page of an owner shows the period and the clusters of the row', () => {
  const old = {
    window: 'last_quarter',
    against: 'year',
    clusters: 'cls_1,cls_2',
    by: 'namespace',
    namespace: 'shop',
  } as const
  const inRow = { cluster: undefined, keepsPeriod: true }
  expect(ownerSearch(old, inRow)).toEqual({ window: 'last_quarter', against: 'year', clusters: 'cls_1,cls_2' })
  expect(ownerSearch(old, { ...inRow, cluster: 'cls_2' })).toEqual({
    ...{ cluster: 'cls_2', window: 'last_quarter', against: 'year' },
  })
  expect(ownerSearch({ ...old, cluster: 'cls_1' }, { cluster: undefined, keepsPeriod: false })).toEqual({
    cluster: 'cls_1',
  })
})
