import { expect, test } from 'vitest'
import { aVolume, NOW, evaluateRule, someFacts } from '../builders.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import { commandsFor } from '../../manifests/commands/commands-for-action.ts'
import { pvOverprovisioned } from './pv-overprovisioned.ts'

const gib = 1024 * 1024
const evaluate = (over: Partial<VolumeFacts> = {}) =>
  evaluateRule(pvOverprovisioned, someFacts({ volumes: [aVolume({ usedKib: 20 * gib, ...over })] }))

test('one and a half times the usage is enough', () => {
  // 100 GiB for $10 with 20 GiB used: 30 GiB are enough.
  expect(evaluate().findings).toMatchObject([
    {
      estimatedUsdPerMonth: 7,
      bankableUsdPerMonth: 7,
      risk: 'high',
      change: { fields: [{ path: 'size', from: '100Gi', to: '30Gi' }] },
    },
  ])
})

test('nothing is found for a volume that is half full, unmounted, or without usage data', () => {
  expect(evaluate({ usedKib: 50 * gib }).findings).toEqual([])
  expect(evaluate({ unmountedSince: NOW }).findings).toEqual([])
  expect(evaluate({ usedKib: null }).findings).toEqual([])
})

test('a new one is never below 10 GiB', () => {
  expect(evaluate({ usedKib: gib }).findings).toMatchObject([{ change: { fields: [{ to: '10Gi' }] } }])
  expect(evaluate({ usedKib: gib, sizeKib: 10 * gib }).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(evaluate({ usdPerMonth: null }).reasons).toEqual(['no_price'])
})

test('the steps are a new claim, a copy and a switch', () => {
  const [storageClass, cheaper] = ['gp2', { storageClass: 'gp3', usdPerMonth: 8 }]
  const summary = (over: Partial<VolumeFacts>) => evaluate(over).findings[0]?.change.summary
  expect(summary({ storageClass })).toBe(
    'Create a claim of 30 GiB in class gp2. Stop the workload and copy shop/data (20 of 100 GiB used) to the new claim. Switch the pods to the new claim, then delete the old claim.',
  )
  expect(summary({ storageClass, cheaper })).toContain(
    'Create a claim of 30 GiB in class gp2. If the cluster has the cheaper class gp3, use this class instead.',
  )
})

test('the summary and the command create the claim in the same class', () => {
  const [finding] = evaluate({ storageClass: 'gp2', cheaper: { storageClass: 'gp3', usdPerMonth: 8 } }).findings
  if (!finding?.action) throw new Error('no action')
  const cluster = { id: 'cls_1', name: 'prod', provider: 'aws', region: 'here-1', contextVariable: 'CONTEXT' }
  const lines = commandsFor(finding.action, { object: finding.change.object, cluster }).flatMap(
    ({ commands }) => commands,
  )
  const created = /"storageClassName":"([^"]+)"/.exec(lines.join('\n'))?.[1]
  expect(/Create a claim of 30 GiB[^.]* class ([a-z0-9]+)\./.exec(finding.change.summary)?.[1]).toBe(created)
})

test.each([
  { storageClass: 'gp2', sizeGib: 800, expected: '2400 now, 100 after the change, with burst credits up to 3000.' },
  { storageClass: 'ebs-gp2', sizeGib: 8000, usedGib: 2000, expected: '16000 now, 9000 after the change.' },
  { storageClass: 'pd-ssd', sizeGib: 800, expected: 'smaller disks are slower' },
])(
  'the text says that a smaller $storageClass volume is slower',
  ({ storageClass, sizeGib, usedGib = 20, expected }) => {
    const [finding] = evaluate({ storageClass, sizeKib: sizeGib * gib, usedKib: usedGib * gib }).findings
    expect(finding?.evidence.caveats.join(' ')).toContain(expected)
  },
)

test('the text says that usage is the current value, not a maximum', () => {
  const [finding] = evaluate().findings
  expect(finding?.evidence.caveats.join(' ')).toContain('The used size comes from the last report')
})
