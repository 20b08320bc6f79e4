import { expect, test } from 'vitest'
import { stepActionsFrom, stepStatus } from './step-status.ts'

test.each([
  [{ pending: 3 }, 'open', ['approve', 'reject']],
  [{ pending: 1, rejected: 2 }, 'open', ['approve', 'reject']],
  [{ pending: 1, approved: 2 }, 'partly_approved', ['approve', 'reject', 'withdraw']],
  [{ approved: 2, rejected: 1 }, 'approved', ['reject', 'withdraw']],
  [{ approved: 1, implemented: 1 }, 'partly_implemented', ['reject', 'withdraw']],
  [{ implemented: 1, resolved: 1 }, 'implemented', []],
  [{ rejected: 2 }, 'rejected', []],
] as const)('a step with %j is %s and allows %j', (counts, status, actions) => {
  expect(stepStatus(counts)).toBe(status)
  expect(stepActionsFrom(counts)).toEqual(actions)
})
