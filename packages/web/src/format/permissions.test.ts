import { expect, test } from 'vitest'
import { byResource, readFirst, usable } from './permissions.ts'

test('nothing is offered that no route asks for', () => {
  expect(usable(['webhooks:write', 'users:read', 'clusters:read'])).toEqual(['clusters:read', 'users:read'])
})

test('nothing is offered that somebody does not hold', () => {
  expect(usable([])).toEqual([])
})

test('actions stand with what they are done to', () => {
  expect(byResource(['clusters:read', 'clusters:write', 'users:read'])).toEqual([
    ['clusters', ['read', 'write']],
    ['users', ['read']],
  ])
})

test('of each resource reading comes first, then writing', () => {
  expect(readFirst(['clusters:delete', 'clusters:read', 'clusters:write', 'users:read'])).toEqual([
    'clusters:read',
    'clusters:write',
    'clusters:delete',
    'users:read',
  ])
})
