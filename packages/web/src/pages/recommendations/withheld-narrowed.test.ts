import type { WithheldAdvice } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { countAll } from '../../api/count-all.ts'
import { nothingWords, reasonChoices, withheldName } from './withheld-narrowed.ts'

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

const titleOf = (ruleId: string) => (ruleId === 'gpu_idle' ? 'GPUs that are held and not used' : undefined)

test('a withheld object is shown by its name, and a whole rule by the name of the service', () => {
  expect(withheldName(row('web'), titleOf)).toBe('shop/web')
  const namespace = { kind: 'Namespace', namespace: 'kube-system', name: 'kube-system', container: '' }
  expect(withheldName(row('x', { object: namespace }), titleOf)).toBe('namespace kube-system')
  expect(withheldName(row('x', { object: null, rule_id: 'gpu_idle' }), titleOf)).toBe('GPUs that are held and not used')
  expect(withheldName(row('x', { object: null, rule_id: 'rule_that_is_gone' }), titleOf)).toBe('rule that is gone')
})

const counts = [
  { reason: 'no_price', count: 12 },
  { reason: 'too_fresh', count: 2 },
]

test('the counts of all reasons add up to all withheld recommendations', () => {
  expect(countAll(counts)).toBe(14)
  expect(countAll(null)).toBe(0)
})

test('the selected reason stays visible even if the search text has no match for it', () => {
  expect(reasonChoices(counts, '')).toEqual(counts)
  expect(reasonChoices(counts, 'no_price')).toEqual(counts)
  expect(reasonChoices(counts, 'too_spiky')).toEqual([...counts, { reason: 'too_spiky', count: 0 }])
})

test('the empty state names the search text', () => {
  expect(nothingWords({ reason: '', text: '' })).toBe('No withheld recommendations.')
  expect(nothingWords({ reason: 'too_spiky', text: '' })).toBe('No withheld recommendations for “usage too irregular”.')
  expect(nothingWords({ reason: '', text: 'blue' })).toBe('No withheld recommendations match “blue”.')
  expect(nothingWords({ reason: 'too_spiky', text: 'blue' })).toBe(
    'No withheld recommendations for “usage too irregular” match “blue”.',
  )
})
