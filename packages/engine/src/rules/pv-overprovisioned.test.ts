import { expect, test } from 'vitest'
import { aVolume, NOW, sayOf, someFacts } from './builders.ts'
import type { VolumeFacts } from './cluster-facts.ts'
import { pvOverprovisioned } from './pv-overprovisioned.ts'

const gib = 1024 * 1024
const say = (over: Partial<VolumeFacts> = {}) =>
  sayOf(pvOverprovisioned, someFacts({ volumes: [aVolume({ usedKib: 20 * gib, ...over })] }))

test('half as much again as is used is enough', () => {
  // 100 GiB for $10, 20 of them used: 30 are enough.
  expect(say().findings).toMatchObject([
    {
      estimatedUsdPerMonth: 7,
      bankableUsdPerMonth: 7,
      risk: 'high',
      change: { fields: [{ from: '100Gi', to: '30Gi' }] },
    },
  ])
})

test('nothing is said about one that is half full, unused, or of which nobody tells', () => {
  expect(say({ usedKib: 50 * gib }).findings).toEqual([])
  expect(say({ unmountedSince: NOW }).findings).toEqual([])
  expect(say({ usedKib: null }).findings).toEqual([])
})

test('a new one is never below 10 GiB', () => {
  expect(say({ usedKib: gib }).findings).toMatchObject([{ change: { fields: [{ to: '10Gi' }] } }])
  expect(say({ usedKib: gib, sizeKib: 10 * gib }).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(say({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
