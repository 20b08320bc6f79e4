import { expect, test } from 'vitest'
import { ApiError } from './api-client.ts'
import { relistAfter } from './relist-after-410.ts'

test.each([
  { name: 'the first 410', error: new ApiError(410, 'too old'), isRelisted: false, expected: [true, true] },
  { name: 'a second 410', error: new ApiError(410, 'too old'), isRelisted: true, expected: [true, false] },
  { name: 'a missing permission', error: new ApiError(403, 'no'), isRelisted: false, expected: [true, false] },
  { name: 'an error of the server', error: new ApiError(500, 'no'), isRelisted: false, expected: [false, false] },
  { name: 'a closed connection', error: new Error('closed'), isRelisted: false, expected: [false, false] },
])('after $name', ({ error, isRelisted, expected }) => {
  const { needsList, startsAtOnce } = relistAfter(error, { isRelisted })
  expect([needsList, startsAtOnce]).toEqual(expected)
})
