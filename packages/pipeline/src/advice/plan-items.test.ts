import { expect, test } from 'vitest'
import type { PackingPod } from '@plimsoll/engine/packing'
import type { Proposing } from './open-proposals.ts'
import { planItems } from './plan-items.ts'

const pods: PackingPod[] = [
  { uid: 'u1', name: 'scorer-1', workload: 'shop/Deployment/scorer', namespace: 'shop', node: 'n1', labels: {}, owner: 'controller', shape: { containers: [] } }, // prettier-ignore
]

const holding = (basis: string): Proposing => ({
  ruleId: 'failed_pods_holding',
  basis,
  target: { kind: 'Deployment', namespace: 'shop', name: 'scorer', container: '' },
  workload: { kind: 'Deployment', name: 'scorer', container: '' },
  currentSpec: null,
  recommendedSpec: null,
  removesPods: 1,
  costUsdPerMonth: 20,
  title: 'Fix scorer',
  risk: 'low',
  estimatedUsdPerMonth: 20,
  bankableUsdPerMonth: null,
})

test('a crash loop is protected, and its pods stay', () => {
  const [loop] = planItems([holding('crash loop of scorer')], pods, () => 'shop')
  expect(loop).toMatchObject({ role: 'protect', verb: 'Fix', changes: [] })
})

test('pods that never started are removed', () => {
  const [stuck] = planItems([holding('stuck since 5')], pods, () => 'shop')
  expect(stuck).toMatchObject({ role: 'resize', changes: [{ kind: 'remove', pods: ['u1'] }] })
})
