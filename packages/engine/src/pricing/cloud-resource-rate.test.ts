import { expect, test } from 'vitest'
import { decimal, ONE, roundDecimal } from '../decimal.ts'
import { KIB_PER_GIB } from '../units.ts'
import { cloudResourceRate, storageRate } from './cloud-resource-rate.ts'
import { usdFor } from './rate.ts'

const month = 730n * 3600n

test('a disk sold per GiB costs its size', () => {
  const rate = storageRate({ kind: 'per-gib', usdPerGibMonth: decimal('0.08'), estimated: false }, 100 * KIB_PER_GIB)
  expect(roundDecimal(usdFor(BigInt(100 * KIB_PER_GIB) * month, rate))).toBe('8.000000')
})

test('a disk sold in fixed sizes costs the whole size, even if less was requested', () => {
  const sizeKib = 20 * KIB_PER_GIB
  const rate = storageRate({ kind: 'per-disk', usdPerMonth: decimal('5.28'), estimated: false }, sizeKib)
  expect(roundDecimal(usdFor(BigInt(sizeKib) * month, rate))).toBe('5.280000')
})

test('a disk of size 0 cannot have a price', () => {
  expect(storageRate({ kind: 'per-disk', usdPerMonth: ONE, estimated: false }, 0)).toMatchObject({ kind: 'unpriced' })
})

test('a control plane at $0.10 an hour costs $73 a month', () => {
  const rate = cloudResourceRate(decimal('0.10'), { estimated: false })
  expect(roundDecimal(usdFor(5_040_000n * month, rate))).toBe('73.000000')
})
