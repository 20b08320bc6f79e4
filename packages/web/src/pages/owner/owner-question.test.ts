import { expect, test } from 'vitest'
import { explorerSearch, ownerQuery, ownerTitle } from './owner-question.ts'

test.each([
  { kind: 'workloads', name: 'shop/Deployment/cart', title: 'shop/cart', filter: 'workload' },
  { kind: 'namespaces', name: 'shop', title: 'shop', filter: 'namespace' },
  { kind: 'teams', name: 'blue', title: 'blue', filter: 'team' },
  { kind: 'nodes', name: 'node-1', title: 'node-1', filter: 'node' },
] as const)('the page of $kind/$name asks for its own cost', ({ title, filter, ...owner }) => {
  expect(ownerTitle(owner).title).toBe(title)
  expect(ownerQuery(owner)).toMatchObject({ [filter]: owner.name })
})

test('the causes of changes come with the same call, except for nodes', () => {
  expect(ownerQuery({ kind: 'teams', name: 'blue' })).toMatchObject({ include: 'changes' })
  expect(ownerQuery({ kind: 'nodes', name: 'node-1' })).not.toHaveProperty('include')
})

test('the explorer opens with the same filter', () => {
  expect(explorerSearch({ kind: 'namespaces', name: 'shop' })).toEqual({ by: 'workload', namespace: 'shop' })
})
