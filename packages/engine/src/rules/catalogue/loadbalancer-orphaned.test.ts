import { expect, test } from 'vitest'
import { HOUR, NOW, sayOf, someFacts } from '../builders.ts'
import type { BalancerFacts } from '../facts/cluster-facts.ts'
import { loadbalancerOrphaned } from './loadbalancer-orphaned.ts'

const say = (over: Partial<BalancerFacts>) =>
  sayOf(
    loadbalancerOrphaned,
    someFacts({
      balancers: [
        { namespace: 'shop', name: 'front', type: 'nlb', unreadySince: NOW - 24 * HOUR, usdPerMonth: 18, ...over },
      ],
    }),
  )

test('a balancer without a ready endpoint for a day costs what it costs', () => {
  expect(say({}).findings).toMatchObject([
    {
      target: { kind: 'Service', namespace: 'shop', name: 'front' },
      title: 'Delete load balancer shop/front: it has no endpoints',
      estimatedUsdPerMonth: 18,
      podName: '',
      change: { action: 'delete' },
    },
  ])
})

test('nothing is said about one with an endpoint, or without one for some hours', () => {
  expect(say({ unreadySince: null }).findings).toEqual([])
  expect(say({ unreadySince: NOW - 23 * HOUR }).findings).toEqual([])
})

test('that its address is given up is always said', () => {
  expect(say({}).findings[0]?.evidence.caveats.join()).toContain('address')
})

test('without a price it is withheld', () => {
  expect(say({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
