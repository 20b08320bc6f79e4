import { expect, test } from 'vitest'
import { shortOwner } from './owner.ts'

test.each([
  ['workload', 'shop/Deployment/web', 'shop/web'],
  ['node', 'ip-10-0-0-1.eu-west-1.compute.internal', 'ip-10-0-0-1'],
  ['node', '__none__', 'no node'],
  ['node', '__other__', 'Others'],
  ['workload', '__other__', 'Others'],
  ['team', '__none__', 'no team'],
  ['namespace', 'shop', 'shop'],
])('by %s, %s is shown as %s', (by, name, words) => {
  expect(shortOwner(name, by)).toBe(words)
})
