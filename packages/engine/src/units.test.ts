import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  describeBytes,
  describeMillicores,
  formatBytes,
  formatMillicores,
  kibOfBytes,
  parseBytes,
  parseMillicores,
} from './units.ts'

const ok = (value: number) => ({ kind: 'ok', value })

test.each([
  ['2', 2000],
  ['0.5', 500],
  ['.5', 500],
  ['5.', 5000],
  ['250m', 250],
  ['+100m', 100],
  ['1e3m', undefined],
  ['1e1', 10_000],
  ['1E-1', 100],
  ['2k', 2_000_000],
  ['1500000u', 1500],
  ['100u', 1],
  ['123456789n', 124],
  ['0', 0],
  ['-0', 0],
])('%s of CPU is parsed as the scheduler parses it', (text, millicores) => {
  expect(parseMillicores(text)).toEqual(
    millicores === undefined ? { kind: 'invalid', reason: 'not-a-quantity', text } : ok(millicores),
  )
})

test.each([
  ['128974848', 128_974_848],
  ['129e6', 129_000_000],
  ['129M', 129_000_000],
  ['128974848000m', 128_974_848],
  ['123Mi', 128_974_848],
  ['1.5Gi', 1_610_612_736],
  ['1k', 1000],
  ['1Ki', 1024],
  ['1G', 1e9],
  ['1T', 1e12],
  ['1Ti', 1024 ** 4],
  ['1P', 1e15],
  ['1Pi', 1024 ** 5],
  ['0.001', 1],
])('%s of memory is %d bytes', (text, bytes) => {
  expect(parseBytes(text)).toEqual(ok(bytes))
})

test('more bytes than a safe integer are rejected', () => {
  expect(parseBytes('8Ei')).toMatchObject({ kind: 'invalid', reason: 'too-large' })
})

test.each([
  [0, '0'],
  [1000, '1'],
  [1500, '1500m'],
  [250, '250m'],
])('%d millicores are written %s', (millicores, text) => {
  expect(formatMillicores(millicores)).toBe(text)
})

test.each([
  [0, '0'],
  [128_974_848, '123Mi'],
  [1536 * 1024 ** 2, '1536Mi'],
  [1024 ** 4, '1Ti'],
  [1000, '1000'],
])('%d bytes are written %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test('a formatted value parses to the same number', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (value) => {
      expect(parseBytes(formatBytes(value))).toEqual(ok(value))
      expect(parseMillicores(formatMillicores(value))).toEqual(ok(value))
    }),
  )
})

test('a byte is charged as a KiB and never as 0', () => {
  expect([0, 1, 1024, 1025].map(kibOfBytes)).toEqual([0, 1, 1, 2])
})

test.each([
  [0, '0 B'],
  [512 * 1024 ** 2, '512 MiB'],
  [1023 * 1024 ** 2, '0.999 GiB'],
  [34_407 * 1024 ** 2, '33.6 GiB'],
  [2 * 1024 ** 4, '2 TiB'],
])('%d bytes read %s', (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text)
})

test.each([
  [0, '0m'],
  [619.7, '620m'],
  [999.6, '1 core'],
  [1000, '1 core'],
  [2505, '2.5 cores'],
])('%d millicores read %s', (millicores, text) => {
  expect(describeMillicores(millicores)).toBe(text)
})
