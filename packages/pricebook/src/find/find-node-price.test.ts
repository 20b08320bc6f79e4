import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findNodePrice } from './find-node-price.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'
import { formatUsd } from '../money.ts'
import type { NodeQuery } from './node-query.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const book = loadPriceBook()

function aNode(query: Partial<NodeQuery> = {}): NodeQuery {
  return {
    provider: 'aws',
    region: 'us-east-1',
    instanceType: 'm5.large',
    capacityType: 'on-demand',
    os: 'linux',
    ...query,
  }
}

function usd(query: Partial<NodeQuery>): string {
  const price = findNodePrice(book, aNode(query))
  return price.kind === 'unpriced' ? price.why : formatUsd(price.nanoUsdPerHour)
}

test('a listed price has its source, its date, the capacity and the spot price', () => {
  expect(findNodePrice(book, aNode())).toEqual({
    kind: 'listed',
    nanoUsdPerHour: 96_000_000,
    source: 'sky-aws',
    asOf: '2026-08-22',
    nominal: { arch: 'amd64', vcpu: 2, memoryGib: 8 },
    onDemand: { kind: 'listed', nanoUsdPerHour: 96_000_000, source: 'sky-aws', asOf: '2026-08-22' },
    spot: expect.objectContaining({ kind: 'listed', source: 'sky-aws', asOf: '2026-08-22' }) as unknown,
    interruption: { band: expect.any(Number) as number, source: 'spot-advisor', asOf: '2025-06-28' },
  })
})

describe('public list prices', () => {
  test.each([
    ['aws', 'us-east-1', 'm5.large', '0.096'],
    ['aws', 'us-east-1', 'm5.xlarge', '0.192'],
    ['aws', 'us-east-1', 'c5.xlarge', '0.17'],
    ['aws', 'us-east-1', 't3.medium', '0.0416'],
    ['aws', 'us-east-1', 'm6g.large', '0.077'],
    ['aws', 'us-east-1', 'r5.2xlarge', '0.504'],
    ['aws', 'us-east-1', 'g4dn.xlarge', '0.526'],
    ['aws', 'eu-central-1', 'm5.large', '0.115'],
    ['aws', 'sa-east-1', 'm5.large', '0.153'],
    ['aws', 'us-east-1', 'p5.48xlarge', '55.04'],
    ['gcp', 'us-central1', 'e2-standard-4', '0.134023'],
    ['gcp', 'us-central1', 'e2-medium', '0.033506'],
    ['gcp', 'us-central1', 'n1-standard-4', '0.189999'],
    ['gcp', 'us-central1', 'n2-standard-4', '0.194236'],
    ['gcp', 'us-central1', 'c3-standard-8', '0.403216'],
    ['azure', 'eastus', 'Standard_D4s_v5', '0.192'],
    ['azure', 'eastus', 'Standard_D2s_v3', '0.096'],
    ['azure', 'eastus', 'Standard_B2s', '0.0416'],
    ['azure', 'westeurope', 'Standard_D4s_v5', '0.23'],
    ['hetzner', 'fsn1', 'cax11', '0.014343'],
    ['digitalocean', 'nyc3', 's-4vcpu-8gb', '0.07143'],
    ['oci', 'us-ashburn-1', 'VM.Standard2.1', '0.0638'],
  ])('%s %s %s costs %s', (provider, region, instanceType, expected) => {
    expect(findNodePrice(book, aNode({ provider, region, instanceType })).kind).toBe('listed')
    expect(usd({ provider, region, instanceType })).toBe(expected)
  })
})

test('names are found in the spelling of labels and of users', () => {
  expect(usd({ provider: 'EKS', region: 'US East (N. Virginia)', instanceType: 'M5.large' })).toBe('0.096')
  expect(usd({ provider: 'aks', region: 'West Europe', instanceType: 'standard_d4s_v5' })).toBe('0.23')
})

describe('spot', () => {
  test('is the listed spot price if there is one', () => {
    const price = findNodePrice(
      book,
      aNode({ region: 'af-south-1', instanceType: 'c5.12xlarge', capacityType: 'spot' }),
    )
    expect(price).toMatchObject({ kind: 'listed', nanoUsdPerHour: 325_200_000 })
    expect(price.onDemand).toMatchObject({ kind: 'listed', nanoUsdPerHour: 2_736_000_000 })
  })

  test('is otherwise on-demand times the median ratio of the family, marked as an estimate', () => {
    const price = findNodePrice(
      book,
      aNode({ provider: 'azure', region: 'eastus', instanceType: 'Standard_D4as_v5', capacityType: 'spot' }),
    )
    // 0.172 × 0.185
    expect(price).toMatchObject({ kind: 'estimated', why: 'spot-from-median-ratio', nanoUsdPerHour: 31_820_000 })
  })

  test('is never the on-demand price: without spot prices of the provider it is not priced', () => {
    const price = findNodePrice(book, aNode({ provider: 'hetzner', instanceType: 'cax11', capacityType: 'spot' }))
    expect(price).toMatchObject({ kind: 'unpriced', why: 'no-spot-price' })
    expect(price.onDemand.kind).toBe('listed')
  })
})

describe('Windows', () => {
  test.each([
    ['aws', 'us-east-1', 'm5.large'],
    ['azure', 'eastus', 'Standard_D4s_v5'],
    ['gcp', 'us-central1', 'custom-4-16384'],
    ['aws', 'us-east-1', 'x99.large'],
    ['nowhere', '', ''],
  ])('%s %s %s is not priced, instead of the Linux price', (provider, region, instanceType) => {
    const query = aNode({ provider, region, instanceType, os: 'windows', capacity: { vcpu: 2, memoryGib: 8 } })
    expect(findNodePrice(book, query)).toMatchObject({ kind: 'unpriced', why: 'no-windows-price' })
    expect(findNodePrice(book, query).spot.kind).toBe('unpriced')
  })

  test('has a price if the type is sold with it, and then Linux has none', () => {
    const windows = { provider: 'scaleway', region: 'fr-par', instanceType: 'POP2-8C-32G-WIN' }
    expect(usd({ ...windows, os: 'windows' })).toBe('0.836641')
    expect(usd({ ...windows, os: 'linux' })).toBe('no-linux-price')
  })
})

describe('local zones', () => {
  const atlanta = { region: 'us-east-1', zone: 'us-east-1-atl-1a' }

  test('have their own list', () => {
    const own = findNodePrice(book, aNode({ ...atlanta, instanceType: 'c5d.2xlarge' }))
    expect(own).toMatchObject({ kind: 'listed', source: 'ec2shop' })
    expect(own.onDemand).not.toEqual(findNodePrice(book, aNode({ instanceType: 'c5d.2xlarge' })).onDemand)
  })

  test('fall back to the region, and are marked as estimated', () => {
    expect(findNodePrice(book, aNode({ ...atlanta, instanceType: 'm5.large' }))).toMatchObject({
      kind: 'estimated',
      why: 'local-zone-not-listed',
      nanoUsdPerHour: 96_000_000,
    })
  })

  test('an ordinary zone, or one of another region, changes nothing', () => {
    expect(usd({ zone: 'us-east-1b' })).toBe('0.096')
    expect(usd({ zone: 'us-west-2-lax-1a' })).toBe('0.096')
    expect(usd({ zone: '0' })).toBe('0.096')
  })
})

test('AWS China is not priced, because its list is in CNY', () => {
  expect(usd({ region: 'cn-north-1', instanceType: 'm5.large' })).toBe('currency-not-usd')
})

test('a known type in a region without its price gets the median of the other regions', () => {
  const price = findNodePrice(book, aNode({ provider: 'do', region: 'fra1', instanceType: 's-4vcpu-8gb' }))
  expect(price).toMatchObject({ kind: 'estimated', why: 'type-not-listed-in-region', nanoUsdPerHour: 71_430_000 })
})

describe('types outside the book', () => {
  const capacity = { vcpu: 2, memoryGib: 8 }

  test('are priced by the rates of their region', () => {
    // af-south-1: 2 × 0.044788 + 8 × 0.004098
    const price = findNodePrice(book, aNode({ region: 'af-south-1', instanceType: 'x99.large', capacity }))
    expect(price).toMatchObject({
      kind: 'estimated',
      why: 'type-not-in-book',
      nanoUsdPerHour: 122_360_000,
      nominal: {},
    })
  })

  test('of an unknown provider get the default rates', () => {
    // 2 × 0.031611 + 8 × 0.004237; spot 2 × 0.006655 + 8 × 0.000892
    const price = findNodePrice(book, aNode({ provider: 'my cloud', region: 'x', instanceType: 'y', capacity }))
    expect(price).toMatchObject({ kind: 'estimated', why: 'provider-not-in-book', nanoUsdPerHour: 97_118_000 })
    expect(price.spot).toMatchObject({ kind: 'estimated', nanoUsdPerHour: 20_446_000 })
  })

  test('are not priced if their capacity is unknown', () => {
    expect(usd({ instanceType: 'x99.large' })).toBe('type-not-in-book')
    expect(usd({ instanceType: 'x99.large', capacity: { vcpu: NaN, memoryGib: 8 } })).toBe('type-not-in-book')
    expect(usd({ instanceType: 'x99.large', capacity: { vcpu: 2, memoryGib: -8 } })).toBe('type-not-in-book')
  })

  test('include the price of their GPUs', () => {
    const plain = findNodePrice(book, aNode({ instanceType: 'x99.large', capacity }))
    const withGpu = findNodePrice(
      book,
      aNode({ instanceType: 'x99.large', capacity, gpu: { type: 'Tesla-T4', count: 2 } }),
    )
    if (plain.kind !== 'estimated' || withGpu.kind !== 'estimated') throw new Error('both are estimates')
    expect((withGpu.nanoUsdPerHour - plain.nanoUsdPerHour) / 2 / 1e9).toBeCloseTo(0.6133, 2)
    expect(withGpu.spot.kind).toBe('estimated')
  })
})

describe('custom sizes', () => {
  const gcp = { provider: 'gcp', region: 'us-central1' }

  test.each([
    // 1.05 × (4 × 0.031611 + 16 × 0.004237)
    ['custom-4-16384', 'custom-machine-type', '0.2039478'],
    // 1.05 × (8 × 0.031611 + 32 × 0.004237)
    ['n2-custom-8-32768', 'custom-machine-type', '0.4078956'],
    // 1.00 × (2 × 0.0218115 + 4 × 0.0029235)
    ['e2-custom-2-4096', 'custom-machine-type', '0.055317'],
    ['n2-custom-8-131072-ext', 'extended-memory-at-standard-rate', '0.8349852'],
  ])('%s is estimated from its parts', (instanceType, why, expected) => {
    expect(findNodePrice(book, aNode({ ...gcp, instanceType }))).toMatchObject({ kind: 'estimated', why })
    expect(usd({ ...gcp, instanceType })).toBe(expected)
  })

  test('a family without custom machine types falls back to the rates', () => {
    const price = findNodePrice(
      book,
      aNode({ ...gcp, instanceType: 'c3-custom-4-16384', capacity: { vcpu: 4, memoryGib: 16 } }),
    )
    expect(price).toMatchObject({ kind: 'estimated', why: 'type-not-in-book' })
  })

  test('a flexible shape of OCI is priced by its capacity at the rates of the shape', () => {
    const flex = { provider: 'oci', region: 'eu-frankfurt-1', instanceType: 'VM.Standard.E4.Flex' }
    // 8 × 0.0125 + 32 × 0.0015
    expect(usd({ ...flex, capacity: { vcpu: 8, memoryGib: 32 } })).toBe('0.148')
    expect(usd(flex)).toBe('capacity-not-known')
  })
})

describe('GPUs that are attached to a node', () => {
  const n1 = { provider: 'gcp', region: 'us-central1', instanceType: 'n1-standard-4' }

  test('are added to its price', () => {
    // 0.189999 + 2 × 0.35
    const price = findNodePrice(book, aNode({ ...n1, gpu: { type: 'nvidia-tesla-t4', count: 2 } }))
    expect(price).toMatchObject({
      kind: 'listed',
      nanoUsdPerHour: 889_999_000,
      source: 'kp-gcp;sky-gcp',
      asOf: '2026-08-03',
    })
    expect(price.nominal).toMatchObject({ gpuCount: 2, gpuType: 'T4' })
  })

  test('are estimated if the region does not list them, and never free', () => {
    const price = findNodePrice(book, aNode({ ...n1, gpu: { type: 'nvidia-tesla-k80', count: 1 } }))
    // 0.189999 + 0.95
    expect(price).toMatchObject({ kind: 'estimated', why: 'gpu-not-listed-in-region', nanoUsdPerHour: 1_139_999_000 })
  })

  test('are not added to a type that includes them', () => {
    const g2 = { provider: 'gcp', region: 'us-central1', instanceType: 'g2-standard-4' }
    expect(usd({ ...g2, gpu: { type: 'nvidia-l4', count: 1 } })).toBe(usd(g2))
    expect(usd({ instanceType: 'g4dn.xlarge', gpu: { type: 'Tesla-T4', count: 1 } })).toBe('0.526')
  })
})

test('every query has a result, and never a negative, infinite or fractional amount', () => {
  const name = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('__proto__', 'constructor', '*', ''))
  const quantity = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, NaN, Infinity, Number.MAX_VALUE))
  const query = fc.record({
    provider: fc.oneof(name, fc.constantFrom('aws', 'gcp', 'azure', 'oci', 'hetzner', '*')),
    region: fc.oneof(name, fc.constantFrom('us-east-1', 'us-central1', 'eastus', '*')),
    zone: fc.option(name, { nil: undefined }),
    instanceType: fc.oneof(name, fc.constantFrom('m5.large', 'n1-standard-4', 'custom-0-0', 'n2-custom-9999-99999999')),
    capacityType: fc.constantFrom('on-demand' as const, 'spot' as const),
    os: fc.constantFrom('linux' as const, 'windows' as const),
    capacity: fc.option(fc.record({ vcpu: quantity, memoryGib: quantity }), { nil: undefined }),
    gpu: fc.option(fc.record({ type: name, count: quantity }), { nil: undefined }),
  })
  fc.assert(
    fc.property(query, (any) => {
      const answer = findNodePrice(book, any)
      for (const price of [answer, answer.onDemand, answer.spot]) {
        if (price.kind === 'unpriced') expect(price.note).not.toBe('')
        else expect(Number.isSafeInteger(price.nanoUsdPerHour) && price.nanoUsdPerHour >= 0).toBe(true)
      }
    }),
    lawRuns(1000),
  )
})
