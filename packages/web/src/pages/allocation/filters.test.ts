import { expect, test } from 'vitest'
import { knownNames, unknownClusters, withFilter } from './filters.ts'

const clusters = [{ id: 'cls_1', name: 'production' }]
const rows = [
  { names: { 'label:app': 'web' }, rows: [{ names: { namespace: 'shop' } }, { names: { namespace: '__none__' } }] },
]

test('a filter collects its values, and a cluster is kept by its id', () => {
  const search = { namespace: 'shop' }
  expect(withFilter(search, { name: 'namespace', text: ' data, shop' }, [])).toEqual({ namespace: 'shop,data' })
  expect(withFilter({}, { name: 'clusters', text: 'production' }, clusters)).toEqual({ clusters: 'cls_1' })
  expect(withFilter({}, { name: 'team', text: ' , ' }, [])).toBeNull()
})

test('a cluster is known by its name or id', () => {
  expect(unknownClusters({ name: 'clusters', text: 'production, cls_1' }, clusters)).toEqual([])
  expect(unknownClusters({ name: 'clusters', text: 'production,prodution' }, clusters)).toEqual(['prodution'])
  expect(unknownClusters({ name: 'namespace', text: 'any' }, clusters)).toEqual([])
})

test('the rows of the page are offered as values', () => {
  expect(knownNames('namespace', clusters, rows)).toEqual(['shop'])
  expect(knownNames('label', clusters, rows)).toEqual(['app=web'])
  expect(knownNames('clusters', clusters, rows)).toEqual(['production'])
  expect(knownNames('team', [], [])).toEqual([])
})
