import { expect, test } from 'vitest'
import { historyWords } from './history-words.ts'

test.each([
  ['found', null, 'pending', 'Found'],
  ['approve', 'pending', 'approved', 'Approved'],
  ['apply', 'approved', 'implemented', 'Marked as implemented'],
  ['verified', 'implemented', 'implemented', 'Verified'],
  ['resolved', 'pending', 'resolved', 'Resolved'],
  ['withdraw', 'implemented', 'approved', '“Implemented” undone. Status: Approved'],
  ['withdraw', 'approved', 'pending', 'Approval withdrawn. Status: Open'],
  ['some_new_action', 'pending', 'pending', 'Some new action'],
] as const)('the entry %s from %s to %s reads "%s"', (action, from, to, words) => {
  expect(historyWords({ action, from_status: from, to_status: to })).toBe(words)
})
