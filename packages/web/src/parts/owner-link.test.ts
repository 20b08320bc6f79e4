import { expect, test } from 'vitest'
import { hasOwnerPage } from './owner-link.tsx'

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
