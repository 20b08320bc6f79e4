import { expect, test } from 'vitest'
import { DAY, NOW, sayOf, someFacts } from './builders.ts'
import type { VolumeFacts } from './cluster-facts.ts'
import { pvOrphaned } from './pv-orphaned.ts'

const aVolume = (over: Partial<VolumeFacts> = {}): VolumeFacts => ({
  name: 'pv-1',
  namespace: 'shop',
  claim: 'data',
  phase: 'bound',
  sizeKib: 100 * 1024 * 1024,
  storageClass: 'gp3',
  unmountedSince: NOW - 7 * DAY,
  usdPerMonth: 9.52,
  reclaimPolicy: 'Retain',
  usedKib: null,
  cheaper: null,
  ...over,
})

const say = (over: Partial<VolumeFacts>) => sayOf(pvOrphaned, someFacts({ volumes: [aVolume(over)] }))

test('a volume that nobody has mounted for 7 days costs what it costs', () => {
  expect(say({}).findings).toMatchObject([
    {
      target: { kind: 'PersistentVolume', namespace: '', name: 'pv-1', container: '' },
      podName: '',
      workload: null,
      recommendedSpec: null,
      estimatedUsdPerMonth: 9.52,
      bankableUsdPerMonth: 9.52,
      change: { action: 'delete', summary: 'Take a snapshot of volume pv-1 (100 GiB) and delete its claim shop/data.' },
      risk: 'high',
    },
  ])
})

test('a released volume is said at once, and is the safer one to delete', () => {
  expect(say({ phase: 'released', unmountedSince: NOW }).findings).toMatchObject([
    { risk: 'medium', confidence: 'high' },
  ])
})

test('nothing is said about a volume that is mounted, or was until some days ago', () => {
  expect(say({ unmountedSince: null }).findings).toEqual([])
  expect(say({ unmountedSince: NOW - 6.9 * DAY }).findings).toEqual([])
})

test('the risk of losing what is on it is always said', () => {
  const [finding] = say({}).findings
  expect(finding?.evidence.caveats.join()).toContain('scaled to zero')
  expect(finding?.change.summary).toContain('snapshot')
})

test('without a price it is withheld', () => {
  expect(say({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
