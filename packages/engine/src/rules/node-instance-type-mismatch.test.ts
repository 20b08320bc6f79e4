import { expect, test } from 'vitest'
import { aCheaperSet, aNode, aPool, sayOf, someFacts } from './builders.ts'
import { nodeInstanceTypeMismatch } from './node-instance-type-mismatch.ts'
import type { PoolFacts } from './object-facts.ts'

const say = (over: Partial<PoolFacts>, nodes = [aNode()]) =>
  sayOf(nodeInstanceTypeMismatch, someFacts({ nodes, pools: [aPool({ cheaperSet: aCheaperSet(), ...over })] }))

test('a cheaper set of machines saves the difference; only what is swapped by itself is banked', () => {
  expect(say({}).findings).toMatchObject([{ estimatedUsdPerMonth: 150, bankableUsdPerMonth: 0 }])
  const swapping = say({ cheaperSet: aCheaperSet({ swappedUsdPerMonth: 40 }) })
  expect(swapping.findings).toMatchObject([{ bankableUsdPerMonth: 40 }])
})

test('nodes that can go as they are belong to another advice', () => {
  const going = aNode({ fate: { kind: 'free', podsMoved: 1 } })
  expect(say({}, [going]).findings).toMatchObject([{ estimatedUsdPerMonth: 50 }])
  expect(say({ cheaperSet: aCheaperSet({ usdPerMonth: 290 }) }, [going]).findings).toEqual([])
})

test('less than a tenth is not worth new machines, and without a set nothing is said', () => {
  expect(say({ cheaperSet: aCheaperSet({ usdPerMonth: 361 }) }).findings).toEqual([])
  expect(say({ cheaperSet: null }).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(say({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
