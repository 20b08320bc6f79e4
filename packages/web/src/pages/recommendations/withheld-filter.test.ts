import type { WithheldAdvice } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { countAll, withheldName, withText } from './withheld-filter.ts'

const row = (name: string, over: Partial<WithheldAdvice> = {}): WithheldAdvice => ({
  cluster_id: 'c1',
  rule_id: 'container_overprovisioned',
  object: { kind: 'Deployment', namespace: 'shop', name, container: '' },
  reason: 'too_little_history',
  detail: '2.0 days of its use are known, 7 are needed.',
  unlock: 'Wait.',
  since: '2026-11-01T00:00:00Z',
  ...over,
})

const rows = [row('web'), row('api', { detail: 'Its image is new.' }), row('x', { object: null, rule_id: 'gpu_idle' })]
const found = (text: string) => withText(rows, text, () => 'prod-eu').map(withheldName)

test('what is withheld is found by every word that its row says', () => {
  expect(found('')).toEqual(['shop/web', 'shop/api', 'Idle GPU'])
  expect(found('shop IMAGE')).toEqual(['shop/api'])
  expect(found('prod-eu idle')).toEqual(['Idle GPU'])
  expect(found('nothing like it')).toEqual([])
})

test('all reasons together are all that is withheld', () => {
  const counts = [
    { reason: 'no_price', count: 12 },
    { reason: 'too_fresh', count: 2 },
  ]
  expect(countAll({ counts })).toBe(14)
})
