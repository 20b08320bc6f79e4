import { expect, test } from 'vitest'
import { findLoadBalancerPrice, findNetworkPrices } from './find-network-price.ts'
import { loadPriceBook } from '../parse/load-price-book.ts'

const book = loadPriceBook()

test.each([
  { provider: 'aws', region: 'us-east-1', kind: 'listed', nanoUsdPerHour: 22_500_000 },
  { provider: 'aws', region: 'us-east-1', type: 'alb', kind: 'listed', nanoUsdPerHour: 22_500_000 },
  { provider: 'aws', region: 'eu-central-1', type: 'nlb', kind: 'estimated', nanoUsdPerHour: 26_950_000 },
  { provider: 'aws', region: 'us-east-1', type: 'classic-elb', kind: 'estimated', nanoUsdPerHour: 25_000_000 },
  { provider: 'aws', region: 'af-south-1', kind: 'estimated', nanoUsdPerHour: 30_000_000 },
  { provider: 'gcp', region: 'europe-west1', kind: 'estimated', nanoUsdPerHour: 25_000_000 },
  { provider: 'azure', region: 'westeurope', kind: 'estimated', nanoUsdPerHour: 25_000_000 },
  { provider: 'hetzner', region: 'fsn1', kind: 'listed', nanoUsdPerHour: 14_118_000 },
])('a load balancer at $provider in $region is $kind', ({ kind, nanoUsdPerHour, ...query }) => {
  expect(findLoadBalancerPrice(book, query)).toMatchObject({ kind, nanoUsdPerHour })
})

test('AWS load balancers are estimated in the 34 regions without a public list price', () => {
  const kinds = listAwsRegions().map((region) => findLoadBalancerPrice(book, { provider: 'aws', region }).kind)
  expect(kinds.filter((kind) => kind === 'estimated')).toHaveLength(34)
})

test('an unknown provider or type has no load balancer price', () => {
  expect(findLoadBalancerPrice(book, { provider: 'nowhere', region: '' })).toMatchObject({ kind: 'unpriced' })
  expect(findLoadBalancerPrice(book, { provider: 'aws', region: 'us-east-1', type: 'x' })).toMatchObject({
    kind: 'unpriced',
  })
})

test('traffic without a price in the tables is unknown, not free', () => {
  expect(findNetworkPrices(book, { provider: 'gcore', region: 'x' })).toMatchObject({
    kind: 'listed',
    internetEgressNanoUsdPerGib: undefined,
  })
  expect(findNetworkPrices(book, { provider: 'nowhere', region: '' })).toMatchObject({ kind: 'unpriced' })
})

test('Azure egress is a default and marked as such', () => {
  expect(findNetworkPrices(book, { provider: 'azure', region: 'eastus' })).toMatchObject({
    kind: 'estimated',
    why: 'copied-from-another-region',
    internetEgressNanoUsdPerGib: 72_500_000,
  })
})

test('the NAT gateway of us-east-1', () => {
  expect(findNetworkPrices(book, { provider: 'aws', region: 'us-east-1' })).toMatchObject({
    kind: 'listed',
    natNanoUsdPerHour: 45_000_000,
    natNanoUsdPerGib: 45_000_000,
    publicIpv4NanoUsdPerHour: 5_000_000,
  })
})

function listAwsRegions(): string[] {
  const [block] = book.nodes.get('aws') ?? []
  return [...(block?.regions.keys() ?? [])]
}
