import { expect, test } from 'vitest'
import { mayEnter } from './run-as.ts'

test.each([
  { name: 'own, closed to others', mode: 0o700, uid: 5, gid: 0, expected: true },
  { name: 'own, but closed to the owner', mode: 0o077, uid: 5, gid: 5, expected: false },
  { name: 'of the group', mode: 0o710, uid: 0, gid: 5, expected: true },
  { name: 'of the group, closed to it', mode: 0o701, uid: 0, gid: 5, expected: false },
  { name: 'open to others', mode: 0o711, uid: 0, gid: 0, expected: true },
  { name: 'closed to others', mode: 0o750, uid: 0, gid: 0, expected: false },
])('whether a directory is accessible: $name', ({ expected, ...directory }) => {
  expect(mayEnter(directory, { uid: 5, gid: 5 })).toBe(expected)
})
