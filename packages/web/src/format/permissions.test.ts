import { expect, test } from 'vitest'
import { byResource, inWords, readFirst, readOnly, usable } from './permissions.ts'

test('permissions that no route requires are not offered', () => {
  expect(usable(['alerts:delete', 'users:read', 'clusters:read'])).toEqual(['clusters:read', 'users:read'])
})

test('permissions that the user does not hold are not offered', () => {
  expect(usable([])).toEqual([])
})

test('actions are grouped by resource', () => {
  expect(byResource(['clusters:read', 'clusters:write', 'users:read'])).toEqual([
    ['clusters', ['read', 'write']],
    ['users', ['read']],
  ])
})

test('each resource lists read first, then write', () => {
  expect(readFirst(['clusters:delete', 'clusters:read', 'clusters:write', 'users:read'])).toEqual([
    'clusters:read',
    'clusters:write',
    'clusters:delete',
    'users:read',
  ])
})

test('read-only permissions change nothing', () => {
  expect(readOnly(['clusters:read', 'clusters:write', 'users:read', 'recommendations:apply'])).toEqual([
    'clusters:read',
    'users:read',
  ])
})

test('permissions are shown as text, read permissions first', () => {
  const held = ['clusters:delete', 'clusters:read', 'api_keys:write', 'clusters:token', 'reports:read', 'users:read']
  expect(inWords(held)).toBe(
    'read clusters, costs and users; change API tokens; delete clusters; create agent tokens of clusters',
  )
  expect(inWords([])).toBe('')
})
