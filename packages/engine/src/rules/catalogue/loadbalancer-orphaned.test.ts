import { expect, test } from 'vitest'
import { HOUR, NOW, evaluateRule, someFacts } from '../builders.ts'
import type { BalancerFacts } from '../facts/cluster-facts.ts'
import { loadbalancerOrphaned } from './loadbalancer-orphaned.ts'

const evaluate = (over: Partial<BalancerFacts>) =>
  evaluateRule(
    loadbalancerOrphaned,
    someFacts({
      balancers: [
        { namespace: 'shop', name: 'front', type: 'nlb', unreadySince: NOW - 24 * HOUR, usdPerMonth: 18, ...over },
      ],
    }),
  )

test('a load balancer without a ready endpoint for a day is reported with its cost', () => {
  expect(evaluate({}).findings).toMatchObject([
    {
      target: { kind: 'Service', namespace: 'shop', name: 'front' },
      title: 'Delete load balancer shop/front: it has no endpoints',
      estimatedUsdPerMonth: 18,
      podName: '',
      change: { action: 'delete' },
    },
  ])
})

test('nothing is found for one with an endpoint, or without one for a few hours', () => {
  expect(evaluate({ unreadySince: null }).findings).toEqual([])
  expect(evaluate({ unreadySince: NOW - 23 * HOUR }).findings).toEqual([])
})

test('the loss of its address is always mentioned', () => {
  expect(evaluate({}).findings[0]?.evidence.caveats.join()).toContain('address')
})

test('without a price it is withheld', () => {
  expect(evaluate({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
