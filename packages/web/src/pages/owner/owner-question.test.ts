import { expect, test } from 'vitest'
import { explorerSearch, ownerQuery, ownerTitle, readOwner } from './owner-question.ts'

test.each([
  { path: '/workloads/shop%2FDeployment%2Fcart', name: 'shop/Deployment/cart', title: 'shop/cart', filter: 'workload' },
  { path: '/namespaces/shop', name: 'shop', title: 'shop', filter: 'namespace' },
  { path: '/teams/blue', name: 'blue', title: 'blue', filter: 'team' },
  { path: '/nodes/node-1', name: 'node-1', title: 'node-1', filter: 'node' },
])('$path', ({ path, name, title, filter }) => {
  const owner = readOwner(path, name)
  expect(path.startsWith(`/${owner.kind}/`)).toBe(true)
  expect(ownerTitle(owner).title).toBe(title)
  expect(ownerQuery(owner)).toMatchObject({ [filter]: name })
})

test('the causes of changes come with the same call, except for nodes', () => {
  expect(ownerQuery({ kind: 'teams', name: 'blue' })).toMatchObject({ include: 'changes' })
  expect(ownerQuery({ kind: 'nodes', name: 'node-1' })).not.toHaveProperty('include')
})

test('the explorer opens with the same filter', () => {
  expect(explorerSearch({ kind: 'namespaces', name: 'shop' })).toEqual({ by: 'workload', namespace: 'shop' })
})
