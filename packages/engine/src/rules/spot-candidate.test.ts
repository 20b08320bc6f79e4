import { expect, test } from 'vitest'
import { aWorkload, sayOf, someFacts } from './builders.ts'
import type { WorkloadFacts } from './cluster-facts.ts'
import { NO_PLACEMENT, type PlacementFacts } from './object-facts.ts'
import { spotCandidate } from './spot-candidate.ts'

const say = (over: Partial<WorkloadFacts> = {}, placement: Partial<PlacementFacts> = {}) => {
  const workload = aWorkload({ replicas: 3, placement: { ...NO_PLACEMENT, spotDiscount: 0.6, ...placement }, ...over })
  return sayOf(spotCandidate, someFacts({ workloads: [workload] }))
}

test('two of three stateless pods on spot save the discount on what they request', () => {
  const { findings } = say()
  // A core and a GiB are $24.19 a pod; two of them, 60 % off.
  expect(findings).toMatchObject([{ title: '2 of 3 pods of web could run on spot', bankableUsdPerMonth: null }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * (20 + 1024 * 1024 * 0.000004) * 0.6, 6)
})

test('nothing is said about what runs on spot already, has two pods or is no Deployment', () => {
  expect(say({}, { spotPods: 1 }).findings).toEqual([])
  expect(say({ replicas: 2 }).findings).toEqual([])
  expect(say({ kind: 'StatefulSet' }).findings).toEqual([])
})

test.each([
  ['volumes', {}, { hasVolumes: true }],
  ['local data', {}, { hasLocalStorage: true }],
  ['a mark on its pods', {}, { isPinned: true }],
  ['a budget that allows nobody to be away', { disruptionsAllowed: 0 }, {}],
  ['the annotation', { annotations: { 'plimsoll.dev/spot': 'false' } }, {}],
  ['no spot price', {}, { spotDiscount: null }],
  ['no price', { price: null }, {}],
])('%s: it is left out', (_why, over, placement) => {
  expect(say(over, placement).findings).toEqual([])
})
