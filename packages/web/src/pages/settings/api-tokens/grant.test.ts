import { expect, test } from 'vitest'
import { firstGrant, grantWords, scopesOf, sentScopes, toggled } from './grant.ts'

const held = ['clusters:read', 'clusters:write', 'reports:read']

test('a new token is read-only by default', () => {
  expect(sentScopes(firstGrant, held)).toEqual({ scopes: ['clusters:read', 'reports:read'] })
  expect(grantWords(firstGrant, held)).toBe('The token can read clusters and costs. It cannot change anything.')
})

test('full access is an explicit choice and is sent without a list', () => {
  const all = { kind: 'all', chosen: [] } as const
  expect(sentScopes(all, held)).toEqual({})
  expect(grantWords(all, held)).toBe(
    'The token always has the same permissions as you. Currently: read clusters and costs; change clusters.',
  )
})

test('changing a checkbox switches to a custom choice, starting from the current one', () => {
  const more = toggled(firstGrant, held, 'clusters:write')
  expect([more.kind, scopesOf(more, held)]).toEqual(['chosen', ['clusters:read', 'reports:read', 'clusters:write']])
  expect(grantWords(more, held)).toBe('The token can read clusters and costs; change clusters.')
  expect(scopesOf(toggled(more, held, 'reports:read'), held)).toEqual(['clusters:read', 'clusters:write'])
})

test('an empty choice shows an error', () => {
  expect(grantWords({ kind: 'chosen', chosen: [] }, held)).toBe('The token has no permissions. Select at least one.')
})
