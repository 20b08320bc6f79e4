import { expect, test } from 'vitest'
import { firstGrant, grantWords, scopesOf, sentScopes, toggled } from './grant.ts'

const held = ['clusters:read', 'clusters:write', 'reports:read']

test('a token that nobody thought about reads and changes nothing', () => {
  expect(sentScopes(firstGrant, held)).toEqual({ scopes: ['clusters:read', 'reports:read'] })
  expect(grantWords(firstGrant, held)).toBe('The token can read clusters and reports. It cannot change anything.')
})

test('everything is asked for in so many words, and sent as no list', () => {
  const all = { kind: 'all', chosen: [] } as const
  expect(sentScopes(all, held)).toEqual({})
  expect(grantWords(all, held)).toBe(
    'The token has all your permissions, including later ones: read clusters and reports; change clusters.',
  )
})

test('whoever ticks a box chooses, beginning with what was ticked', () => {
  const more = toggled(firstGrant, held, 'clusters:write')
  expect([more.kind, scopesOf(more, held)]).toEqual(['chosen', ['clusters:read', 'reports:read', 'clusters:write']])
  expect(grantWords(more, held)).toBe('The token can read clusters and reports; change clusters.')
  expect(scopesOf(toggled(more, held, 'reports:read'), held)).toEqual(['clusters:read', 'clusters:write'])
})

test('who chooses nothing is told so', () => {
  expect(grantWords({ kind: 'chosen', chosen: [] }, held)).toBe('The token has no permissions. Select at least one.')
})
