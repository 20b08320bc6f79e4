import { expect, test } from 'vitest'
import { hasSignedInCookie } from './session.ts'

test.each([
  ['', false],
  ['theme=dark', false],
  ['not_plimsoll_signed_in=1', false],
  ['plimsoll_signed_in=signed-in', true],
  ['theme=dark; plimsoll_signed_in=signed-in', true],
])('with the cookies "%s" a user may be signed in: %s', (cookies, expected) => {
  expect(hasSignedInCookie(cookies)).toBe(expected)
})
