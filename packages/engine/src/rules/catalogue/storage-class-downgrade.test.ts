import { expect, test } from 'vitest'
import { aVolume, NOW, evaluateRule, someFacts } from '../builders.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import { storageClassDowngrade } from './storage-class-downgrade.ts'

const cheaper = { storageClass: 'gp3', usdPerMonth: 8 }
const evaluate = (over: Partial<VolumeFacts> = {}) =>
  evaluateRule(storageClassDowngrade, someFacts({ volumes: [aVolume({ storageClass: 'gp2', cheaper, ...over })] }))

test('a volume with a cheaper newer class saves the difference', () => {
  expect(evaluate().findings).toMatchObject([
    {
      target: { kind: 'PersistentVolume', namespace: '' },
      estimatedUsdPerMonth: 2,
      bankableUsdPerMonth: 2,
      risk: 'low',
    },
  ])
})

test('nothing is found without a cheaper class, a price, or a mount', () => {
  expect(evaluate({ cheaper: null }).findings).toEqual([])
  expect(evaluate({ usdPerMonth: null }).findings).toEqual([])
  expect(evaluate({ unmountedSince: NOW }).findings).toEqual([])
})

test('a large volume may need the performance of the older class, and is withheld', () => {
  expect(evaluate({ sizeKib: 1001 * 1024 * 1024 }).reasons).toEqual(['no_source'])
  expect(evaluate({ sizeKib: 1000 * 1024 * 1024 }).findings).toHaveLength(1)
})

test('the policy of the namespace of its claim applies', () => {
  expect(evaluate({ namespace: 'kube-system' }).reasons).toEqual(['system_namespace'])
})

test('a mostly empty volume is reported with the size from the other recommendation', () => {
  const summary = (usedKib: number | null) => evaluate({ usedKib }).findings[0]?.change.summary
  expect(summary(20 * 1024 * 1024)).toContain('(100 GiB, or 30 GiB after its replacement)')
  expect(summary(null)).toContain('(100 GiB)')
})
