import { expect, test } from 'vitest'
import { hasSignedInCookie, isLimited, maySetPolicy } from './session.ts'

test.each([
  ['', false],
  ['theme=dark', false],
  ['not_plimsoll_signed_in=1', false],
  ['plimsoll_signed_in=signed-in', true],
  ['theme=dark; plimsoll_signed_in=signed-in', true],
])('with the cookies "%s" a user may be signed in: %s', (cookies, expected) => {
  expect(hasSignedInCookie(cookies)).toBe(expected)
})

test('a role limited to namespaces or to teams sees no whole cluster', () => {
  expect(isLimited({ namespaces: null, teams: null })).toBe(false)
  expect(isLimited({ namespaces: ['shop'], teams: null })).toBe(true)
  expect(isLimited({ namespaces: null, teams: ['blue'] })).toBe(true)
})

test('a role sets the policies of its namespaces, and with teams none', () => {
  const role = { permissions: ['settings:write'], namespaces: ['shop'], teams: null }
  expect(maySetPolicy(role, 'shop')).toBe(true)
  expect(maySetPolicy(role, null)).toBe(false)
  expect(maySetPolicy({ ...role, namespaces: null, teams: ['blue'] }, 'shop')).toBe(false)
  expect(maySetPolicy({ ...role, permissions: [] }, 'shop')).toBe(false)
})
