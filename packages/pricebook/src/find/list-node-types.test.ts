import { expect, test } from 'vitest'
import { findMaxPods } from './find-max-pods.ts'
import { listNodeTypes } from './list-node-types.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'

const book = loadPriceBook()

test('the instance types of a region, cheapest first', () => {
  const types = listNodeTypes(book, { provider: 'aws', region: 'us-east-1a' })
  expect(types).toHaveLength(1367)
  expect(types.map((type) => type.nanoUsdPerHour)).toEqual(
    types.map((type) => type.nanoUsdPerHour).toSorted((a, b) => a - b),
  )
  expect(types.find((type) => type.instanceType === 'm5.large')).toMatchObject({
    nanoUsdPerHour: 96_000_000,
    os: 'linux',
    nominal: { arch: 'amd64', vcpu: 2, memoryGib: 8 },
  })
  expect(listNodeTypes(book, { provider: 'hetzner', region: 'fsn1' })).toHaveLength(25)
  expect(listNodeTypes(book, { provider: 'aws', region: 'nowhere' })).toEqual([])
})

test('the maximum number of pods on an EC2 instance', () => {
  expect(findMaxPods(book, 'm5.large')).toEqual({
    maxPods: 29,
    maxEnis: 3,
    ipv4PerEni: 10,
    source: 'kp-aws-limits',
    asOf: '2026-08-06',
  })
  expect(findMaxPods(book, 'n2-standard-4')).toBeUndefined()
})
