import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, divideRounded, formatDecimal, ONE, roundDecimal, type Decimal } from '../decimal.ts'
import { amounts } from '../allocation/builders.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE, PARTS_PER_WHOLE, RESOURCES, type Amounts } from '../units.ts'
import { usdFor, type NodeRates } from './rate.ts'
import { splitNodePrice } from './split-node-price.ts'

const reference = { cpu: decimal('0.031611'), memory: decimal('0.004237'), gpu: decimal('0.95') }
const certain = { estimated: false }

const perHour = (rates: NodeRates, capacity: Amounts): Decimal =>
  RESOURCES.reduce((sum, resource) => sum + usdFor(3600n * BigInt(capacity[resource]), rates[resource]), 0n)

test('the reference example: 2 vCPU and 8 GiB for $0.096 an hour', () => {
  const capacity = amounts({ cores: 2, gib: 8 })
  const rates = splitNodePrice(decimal('0.096'), capacity, reference, certain)

  expect(roundDecimal(usdFor(3600n * BigInt(MICROCORES_PER_CORE), rates.cpu), 10)).toBe('0.0312471015')
  expect(roundDecimal(usdFor(3600n * BigInt(KIB_PER_GIB), rates.memory), 10)).toBe('0.0041882246')
  expect(roundDecimal(perHour(rates, capacity), 9)).toBe('0.096000000')
})

test('a GPU has its share of the node price', () => {
  const capacity = amounts({ cores: 8, gib: 32, gpus: 1 })
  const rates = splitNodePrice(decimal('1.338468'), capacity, reference, certain)

  // 8·0.031611 + 32·0.004237 + 0.95 = 1.338472: k is a hair below 1.
  expect(roundDecimal(usdFor(3600n * BigInt(PARTS_PER_WHOLE), rates.gpu), 5)).toBe('0.95000')
})

test('capacity times rate is the list price within 1e-9, from the smallest node to 448 cores and 24 TiB', () => {
  const capacity = fc
    .record({ cores: fc.integer({ min: 1, max: 448 }), gib: fc.integer({ min: 1, max: 24_576 }), gpus: fc.nat(16) })
    .map(amounts)
  const price = fc.integer({ min: 1, max: 1_000_000_000 }).map((micro) => (BigInt(micro) * ONE) / 1_000_000n)
  fc.assert(
    fc.property(price, capacity, (usdPerHour, size) => {
      const error = perHour(splitNodePrice(usdPerHour, size, reference, certain), size) - usdPerHour
      expect(Math.abs(Number(formatDecimal(error)))).toBeLessThan(1e-9)
    }),
  )
})

test('a free node is free, which is not the same as unpriced', () => {
  const rates = splitNodePrice(0n, amounts({ cores: 2, gib: 8 }), reference, certain)
  expect(rates.cpu).toEqual({ kind: 'priced', usdPerUnitSecond: 0n, estimated: false })
})

test('a GPU without a known rate leaves the node unpriced instead of making the GPU free', () => {
  const { cpu, memory } = reference
  const rates = splitNodePrice(decimal('3'), amounts({ cores: 8, gib: 32, gpus: 1 }), { cpu, memory }, certain)
  expect(rates.gpu).toEqual({ kind: 'unpriced', reason: 'no-reference-rate' })
})

test('a node without capacity has no rates', () => {
  expect(splitNodePrice(ONE, amounts({}), reference, certain).cpu.kind).toBe('unpriced')
})

test('each rate is rounded once, half away from zero, at 24 places', () => {
  const rates = splitNodePrice(decimal('0.1'), amounts({ cores: 3 }), reference, certain)
  expect(rates.cpu).toMatchObject({ usdPerUnitSecond: divideRounded(ONE / 10n, 3n * 3600n * 1_000_000n) })
})
