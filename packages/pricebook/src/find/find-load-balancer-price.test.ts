import { expect, test } from 'vitest'
import { findLoadBalancerPrice } from './find-load-balancer-price.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'

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

function listAwsRegions(): string[] {
  const [block] = book.nodes.get('aws') ?? []
  return [...(block?.regions.keys() ?? [])]
}
