import { decimal, formatDecimal, RESOURCES, type Amounts } from '@plimsoll/engine'
import { usdFor, type NodeRates } from '@plimsoll/engine/pricing'
import { loadPriceBook } from '@plimsoll/pricebook/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { classRates } from './class-rates.ts'
import type { ClassFacts } from './node-class.ts'
import type { OverrideTerm } from './price-terms.ts'

const book = loadPriceBook()
const gib = 1024 * 1024
const core = 1_000_000

const m5: ClassFacts = {
  query: { provider: 'aws', region: 'eu-central-1', instanceType: 'm5.xlarge', capacityType: 'on-demand', os: 'linux' },
  capacity: { cpu: 4 * core, memory: 16 * gib, gpu: 0 },
}

const term = { id: 'prc_1', clusterId: null, effectiveFrom: new Date(0), effectiveUntil: null, position: 1 }
const price = (usd: string): OverrideTerm => ({
  ...term,
  kind: 'node_price',
  provider: null,
  region: null,
  instanceType: 'm5.xlarge',
  capacityType: null,
  os: 'linux',
  usdPerHour: decimal(usd),
})
const discount = (percent: string): OverrideTerm => ({
  ...term,
  kind: 'discount',
  provider: 'aws',
  percent: decimal(percent),
})

const perHour = (rates: NodeRates, capacity: Amounts) =>
  RESOURCES.reduce((sum, resource) => sum + usdFor(3600n * BigInt(capacity[resource]), rates[resource]), 0n)

test('a discount of 10 % on $0.23 is $0.207, and the evidence shows it', () => {
  const { price: made, evidence } = classRates(book, m5, discount('10'))
  expect(made).toMatchObject({ kind: 'priced', usdPerHour: decimal('0.207'), estimated: false })
  expect(evidence).toMatchObject({
    kind: 'listed',
    list_usd_per_hour: '0.23',
    discount_percent: '10',
    override: 'prc_1',
    book: book.version,
  })
})

test('a discount on an estimate stays an estimate', () => {
  const made = { ...m5, query: { ...m5.query, instanceType: 'made.up' } }
  const { rates, evidence } = classRates(book, made, discount('10'))
  expect(rates.cpu).toMatchObject({ kind: 'priced', estimated: true })
  expect(evidence.kind).toBe('estimated')
})

test('a custom price is not an estimate, even for a type that no price list contains', () => {
  const made = { ...m5, query: { ...m5.query, instanceType: 'made.up' } }
  const { rates, evidence } = classRates(book, made, price('0.1'))
  expect(rates.cpu).toMatchObject({ kind: 'priced', estimated: false })
  expect(evidence.kind).toBe('override')
})

test('for any custom price, capacity × rate is that price within 1e-9', () => {
  const micros = fc.integer({ min: 0, max: 10_000_000_000 })
  const cores = fc.integer({ min: 1, max: 448 })
  const memory = fc.integer({ min: 1, max: 24 * 1024 })
  fc.assert(
    fc.property(micros, cores, memory, (micro, vcpu, memoryGib) => {
      const usd = (micro / 1e6).toFixed(6)
      const capacity = { cpu: vcpu * core, memory: memoryGib * gib, gpu: 0 }
      const { rates } = classRates(book, { ...m5, capacity }, price(usd))
      const miss = Number(formatDecimal(perHour(rates, capacity) - decimal(usd)))
      expect(Math.abs(miss)).toBeLessThan(1e-9)
    }),
  )
})

test('monthly rates: 20 per vCPU and 4 per GiB make 4 vCPU and 16 GiB cost 144 / 730 an hour', () => {
  const rates = { ...term, kind: 'custom_rates' as const, cpu: decimal('20'), memory: decimal('4') }
  const made = classRates(book, m5, rates)
  expect(made.evidence.kind).toBe('custom')
  expect(made.price.kind === 'priced' && Number(formatDecimal(made.price.usdPerHour))).toBeCloseTo(144 / 730, 9)
})

test('a resource without a custom rate is not priced, and neither is a node with it', () => {
  const made = classRates(book, m5, { ...term, kind: 'custom_rates', cpu: decimal('20') })
  expect(made.price).toEqual({ kind: 'unpriced', reason: 'no-custom-rate' })
  expect([made.rates.cpu.kind, made.rates.memory.kind]).toEqual(['priced', 'unpriced'])
})

test('a custom machine size is priced by the size of the class', () => {
  const flexible = { ...m5.query, provider: 'oci', region: 'eu-frankfurt-1', instanceType: 'VM.Standard.E4.Flex' }
  expect(classRates(book, { ...m5, query: flexible }).price.kind).toBe('priced')
})
