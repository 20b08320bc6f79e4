import type { NodeVersion } from '@plimsoll/contract'
import { decimal, formatDecimal } from '@plimsoll/engine'
import { loadPriceBook } from '@plimsoll/pricebook/testing'
import { expect, test } from 'vitest'
import { classRates } from './class-rates.ts'
import { classifyNode, parseClassKey } from './node-class.ts'

const book = loadPriceBook()
const place = { provider: 'aws', region: 'us-east-1' }

test('a known type has its nominal size, so that nodes with slightly smaller reports share one class', () => {
  const one = classifyNode(book, place, aNode({ memoryCapacityKib: 7_900_000 }))
  const other = classifyNode(book, place, aNode({ memoryCapacityKib: 7_800_000, zone: 'us-east-1b' }))
  expect(one.capacity).toEqual({ cpu: 2_000_000, memory: 8 * 1024 * 1024, gpu: 0 })
  expect(one.key).toBe(other.key)
})

test('capacity × rate is the list price of the node', () => {
  const { key, capacity } = classifyNode(book, place, aNode({}))
  const { price, rates } = classRates(book, parseClassKey(key))
  expect(price).toMatchObject({ kind: 'priced', estimated: false })
  if (price.kind !== 'priced' || rates.cpu.kind !== 'priced' || rates.memory.kind !== 'priced')
    throw new Error('unpriced')
  expect(formatDecimal(price.usdPerHour)).toBe('0.096')
  const perHour =
    (BigInt(capacity.cpu) * rates.cpu.usdPerUnitSecond + BigInt(capacity.memory) * rates.memory.usdPerUnitSecond) *
    3600n
  const miss = perHour > price.usdPerHour ? perHour - price.usdPerHour : price.usdPerHour - perHour
  expect(miss < decimal('0.000000001')).toBe(true)
})

test('the provider id of the node overrides the registration of the cluster', () => {
  const { key } = classifyNode(
    book,
    { provider: 'gcp', region: 'x' },
    aNode({ providerId: 'aws:///us-east-1a/i-0abc' }),
  )
  expect(parseClassKey(key).query.provider).toBe('aws')
})

test('an unknown type is estimated from its size and marked as an estimate', () => {
  const { key } = classifyNode(book, place, aNode({ instanceType: 'made.up' }))
  const { price, evidence } = classRates(book, parseClassKey(key))
  expect(price).toMatchObject({ kind: 'priced', estimated: true })
  expect(evidence).toMatchObject({ kind: 'estimated' })
})

test('a Windows node without a Windows price is not priced, never free and never at the price of Linux', () => {
  const { key } = classifyNode(book, place, aNode({ os: 'windows' }))
  const { price, rates } = classRates(book, parseClassKey(key))
  expect(price.kind).toBe('unpriced')
  expect(rates.cpu.kind).toBe('unpriced')
})

function aNode(overrides: Partial<NodeVersion>): NodeVersion {
  return {
    ref: 1,
    uid: 'node',
    from: 0,
    name: 'node',
    createdAt: 0,
    providerId: '',
    instanceType: 'm5.large',
    region: 'us-east-1',
    zone: 'us-east-1a',
    capacityType: 'on-demand',
    os: 'linux',
    arch: 'amd64',
    pool: '',
    gpuProduct: '',
    gpuResource: '',
    gpuCapacity: 0,
    gpuReplicas: 1,
    cpuCapacityMillicores: 2000,
    cpuAllocatableMillicores: 1930,
    memoryCapacityKib: 8_000_000,
    memoryAllocatableKib: 7_400_000,
    podsAllocatable: 29,
    labels: {},
    ...overrides,
  }
}
