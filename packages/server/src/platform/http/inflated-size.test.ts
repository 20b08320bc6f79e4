import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { inflatedSize } from './inflated-size.ts'

const body = gzipSync(Buffer.alloc(1_000_000, 'a'))

test.each([
  { name: 'is whole and of just the size', bytes: body, max: 1_000_000, expected: { kind: 'whole', bytes: 1_000_000 } },
  { name: 'is one byte too long', bytes: body, max: 999_999, expected: { kind: 'too-large' } },
  { name: 'is truncated', bytes: body.subarray(0, -9), max: 2_000_000, expected: { kind: 'broken' } },
  { name: 'is not gzip', bytes: Buffer.from('hello'), max: 10, expected: { kind: 'broken' } },
  { name: 'is empty', bytes: Buffer.alloc(0), max: 10, expected: { kind: 'broken' } },
])('a body that $name', async ({ bytes, max, expected }) => {
  expect(await inflatedSize(bytes, max)).toEqual(expected)
})
