import { expect, test } from 'vitest'
import { doesApply, filterQuery, isLabel } from './question.ts'

test('a filter by node pool applies to groupings by node only', () => {
  expect(doesApply('pool', ['namespace', 'workload'])).toBe(false)
  expect(doesApply('pool', ['cluster', 'node'])).toBe(true)
  expect(doesApply('team', ['namespace'])).toBe(true)
  expect(filterQuery({ pool: 'general' }, { levels: ['namespace'], share: 'none' })).toEqual({})
  expect(filterQuery({ pool: 'general' }, { levels: ['node'], share: 'none' })).toEqual({ node_pool: 'general' })
})

test.each([
  ['label:app', true],
  ['label:app.kubernetes.io/name', true],
  ['label:app-', false],
  ['label:', false],
])('%s is a label: %s', (by, expected) => {
  expect(isLabel(by)).toBe(expected)
})
