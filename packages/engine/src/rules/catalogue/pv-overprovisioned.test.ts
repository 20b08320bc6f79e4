import { expect, test } from 'vitest'
import { aVolume, NOW, sayOf, someFacts } from '../builders.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import { pvOverprovisioned } from './pv-overprovisioned.ts'

const gib = 1024 * 1024
const say = (over: Partial<VolumeFacts> = {}) =>
  sayOf(pvOverprovisioned, someFacts({ volumes: [aVolume({ usedKib: 20 * gib, ...over })] }))

test('one and a half times the usage is enough', () => {
  // 100 GiB for $10 with 20 GiB used: 30 GiB are enough.
  expect(say().findings).toMatchObject([
    {
      estimatedUsdPerMonth: 7,
      bankableUsdPerMonth: 7,
      risk: 'high',
      change: { fields: [{ path: 'size', from: '100Gi', to: '30Gi' }] },
    },
  ])
})

test('nothing is found for a volume that is half full, unmounted, or without usage data', () => {
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

test('the steps are a new claim, a copy and a switch, directly in the cheaper class', () => {
  const cheaper = { storageClass: 'gp3', usdPerMonth: 8 }
  const summary = (over: Partial<VolumeFacts>) => say(over).findings[0]?.change.summary
  expect(summary({})).toBe(
    'Create a claim of 30 GiB. Stop the workload and copy shop/data (20 of 100 GiB used) to the new claim. Switch the pods to the new claim, then delete the old claim.',
  )
  expect(summary({ cheaper })).toContain('Create a claim of 30 GiB, if possible in the cheaper class gp3.')
})

test.each([
  { storageClass: 'gp2', sizeGib: 800, says: '2400 now, 100 after the change, with burst credits up to 3000.' },
  { storageClass: 'ebs-gp2', sizeGib: 8000, usedGib: 2000, says: '16000 now, 9000 after the change.' },
  { storageClass: 'pd-ssd', sizeGib: 800, says: 'smaller disks are slower' },
])('the text says that a smaller $storageClass volume is slower', ({ storageClass, sizeGib, usedGib = 20, says }) => {
  const [finding] = say({ storageClass, sizeKib: sizeGib * gib, usedKib: usedGib * gib }).findings
  expect(finding?.evidence.caveats.join(' ')).toContain(says)
})

test('the text says that usage is the current value, not a maximum', () => {
  const [finding] = say().findings
  expect(finding?.evidence.caveats.join(' ')).toContain('The used size comes from the last report')
})
