import { expect, test, vi } from 'vitest'
import { forgetSignInLink, readSignInLink } from './sign-in-link.ts'

test.each([
  ['#email=demo%40plimsoll.example&password=a%2Bb', { email: 'demo@plimsoll.example', password: 'a+b' }],
  ['#email=demo%40plimsoll.example', { email: 'demo@plimsoll.example', password: '' }],
  ['', { email: '', password: '' }],
])('a link that ends in %s fills in the named fields', (hash, expected) => {
  expect(readSignInLink(hash)).toEqual(expected)
})

test('after reading, the URL no longer has the credentials and has the same target', () => {
  const replaceState = vi.fn()
  const history = { state: { key: 'a' }, replaceState }
  const location = { hash: '#email=a&password=b', pathname: '/sign-in', search: '?next=%2Fsavings' }
  forgetSignInLink({ location, history })
  expect(replaceState.mock.calls).toEqual([[{ key: 'a' }, '', '/sign-in?next=%2Fsavings']])
})

test('a URL without credentials stays unchanged', () => {
  const replaceState = vi.fn()
  forgetSignInLink({
    location: { hash: '', pathname: '/sign-in', search: '' },
    history: { state: null, replaceState },
  })
  expect(replaceState).not.toHaveBeenCalled()
})
