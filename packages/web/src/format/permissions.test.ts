import { expect, test } from 'vitest'
import { byResource, inWords, readFirst, readOnly, usable } from './permissions.ts'

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

test('to read only is to change nothing', () => {
  expect(readOnly(['clusters:read', 'clusters:write', 'users:read', 'recommendations:apply'])).toEqual([
    'clusters:read',
    'users:read',
  ])
})

test('what somebody may do is told in words, what changes nothing first', () => {
  const held = ['clusters:delete', 'clusters:read', 'api_keys:write', 'clusters:token', 'reports:read', 'users:read']
  expect(inWords(held)).toBe(
    'read clusters, reports and users; change API tokens; delete clusters; create agent tokens of clusters',
  )
  expect(inWords([])).toBe('')
})
