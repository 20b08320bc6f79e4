import type { Recommendation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { inOrder, historyChoices, historyCsv } from './history-rows.ts'

/** Only the fields that the savings history reads. */
const row = (id: string, verification: Recommendation['verification'], doneAt: string): Recommendation =>
  ({
    ...{ id, verification, done_at: doneAt, updated_at: doneAt },
    ...{ cluster_id: 'c1', namespace: 'shop', rule_id: 'pv_orphaned', workload: null },
    change: { object: { kind: 'PersistentVolumeClaim', namespace: 'shop', name: id, container: '' } },
    ...{ estimated_savings: 10.123456, bankable_savings: null },
    verification_detail: verification === 'verified' ? { observed_savings: 9.5, realised_savings: 1.25 } : null,
  }) as unknown as Recommendation

const rows = [
  row('a', 'verified', '2026-11-01T00:00:00Z'),
  row('b', 'reverted', '2026-10-01T00:00:00Z'),
  row('c', null, '2026-11-02T00:00:00Z'),
  row('d', 'verified', '2026-11-03T00:00:00Z'),
]

test('reverted changes come first, then the newest', () => {
  expect([...rows].sort(inOrder).map(({ id }) => id)).toEqual(['b', 'd', 'c', 'a'])
})

test('offers the states that have rows with their counts, and the selected state', () => {
  const groups = [
    { verification: 'verified', count: 1200 },
    { verification: 'reverted', count: 1 },
    { verification: '__none__', count: 30 },
  ]
  const words = (picked?: 'partial') => historyChoices(groups, picked).map(({ word }) => word)
  expect(words()).toEqual(['All 1,231', 'Verified 1,200', 'Reverted 1', 'Resolved 30'])
  expect(words('partial')).toContain('Partially applied 0')
})

test('the CSV has all digits, and empty cells for unknown amounts', () => {
  const [head, first, second] = historyCsv(rows, () => 'prod-eu')
  expect(head).toHaveLength(11)
  expect(first?.slice(1, 3)).toEqual(['prod-eu', 'shop'])
  expect(first?.slice(5)).toEqual(['2026-11-01T00:00:00Z', 'verified', '10.123456', '', '9.5', '1.25'])
  expect(second?.slice(6)).toEqual(['reverted', '10.123456', '', '', ''])
})
