import { expect, test } from 'vitest'
import { readSignInLink } from './sign-in-link.ts'

test.each([
  ['#email=demo%40plimsoll.example&password=a%2Bb', { email: 'demo@plimsoll.example', password: 'a+b' }],
  ['#email=demo%40plimsoll.example', { email: 'demo@plimsoll.example', password: '' }],
  ['', { email: '', password: '' }],
])('a link that ends in %s fills in what it names', (hash, expected) => {
  expect(readSignInLink(hash)).toEqual(expected)
})
