import { expect, test } from 'vitest'
import { DAY, NOW, evaluateRule, someFacts } from '../builders.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
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

const evaluate = (over: Partial<VolumeFacts>) => evaluateRule(pvOrphaned, someFacts({ volumes: [aVolume(over)] }))

test('a volume without a mount for 7 days is reported with its cost', () => {
  expect(evaluate({}).findings).toMatchObject([
    {
      target: { kind: 'PersistentVolume', namespace: '', name: 'pv-1', container: '' },
      podName: '',
      workload: null,
      recommendedSpec: null,
      estimatedUsdPerMonth: 9.52,
      bankableUsdPerMonth: 9.52,
      change: {
        action: 'delete',
        summary:
          'Take a snapshot of volume pv-1 (100 GiB). Then delete its claim shop/data, the volume and its disk at the provider. With reclaim policy Retain, the disk is billed until you delete it.',
      },
      risk: 'high',
    },
  ])
})

test('a released volume is reported at once, and is safer to delete', () => {
  expect(evaluate({ phase: 'released', unmountedSince: NOW }).findings).toMatchObject([
    { risk: 'medium', confidence: 'high' },
  ])
})

test('nothing is found for a volume that is mounted, or was until a few days ago', () => {
  expect(evaluate({ unmountedSince: null }).findings).toEqual([])
  expect(evaluate({ unmountedSince: NOW - 6.9 * DAY }).findings).toEqual([])
})

test('the risk of data loss is always mentioned', () => {
  const [finding] = evaluate({}).findings
  expect(finding?.evidence.caveats.join()).toContain('scaled to 0')
  expect(finding?.change.summary).toContain('snapshot')
})

test.each([
  {
    phase: 'bound',
    reclaimPolicy: 'Delete',
    expected: 'and delete its claim shop/data: this deletes the volume and its disk.',
  },
  { phase: 'released', reclaimPolicy: 'Delete', expected: 'check at the provider that the disk is deleted.' },
  {
    phase: 'released',
    reclaimPolicy: 'Retain',
    expected: 'Then delete the volume and its disk at the provider. With reclaim policy Retain',
  },
  {
    phase: 'available',
    claim: '',
    reclaimPolicy: '',
    expected: 'Then delete the volume and its disk at the provider. Unless the reclaim policy is Delete',
  },
] as const)(
  'for a volume that is $phase with the policy "$reclaimPolicy" the text says what happens to the disk',
  (volume) => {
    const [finding] = evaluate(volume).findings
    expect(finding?.change.summary).toContain(volume.expected)
    expect(finding?.outlivesObject).toBe(volume.reclaimPolicy === 'Delete' ? undefined : true)
  },
)

test('only a claimed volume may be needed again by a workload scaled to zero', () => {
  const caveats = (over: Partial<VolumeFacts>) => evaluate(over).findings[0]?.evidence.caveats.join() ?? ''
  expect(caveats({ phase: 'released' })).not.toContain('scaled to 0')
  expect(caveats({ phase: 'bound' })).toContain('scaled to 0')
})

test('the maximum cost of the snapshot is given, even above that of the volume', () => {
  const caveat = (snapshotUsdPerMonth: number | null) =>
    evaluate({ snapshotUsdPerMonth }).findings[0]?.evidence.caveats.at(-1)
  expect(caveat(5)).toBe('A snapshot of a full volume costs up to $5.00/month, which is not subtracted.')
  expect(caveat(13)).toMatch(/up to \$13\.00\/month.*: that may be more than the volume costs\.$/)
  expect(caveat(null)).toBe('A snapshot is billed as long as it is kept; its cost is not subtracted.')
})

test('without a price it is withheld', () => {
  expect(evaluate({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})
