import { recommendationStatuses, type RecommendationAction, type RecommendationStatus } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { actionsFrom, decideMove } from './decide-move.ts'

const outcome = (
  action: RecommendationAction,
  status: RecommendationStatus,
  lastAction: RecommendationAction | null,
) => {
  const decision = decideMove(action, { status, lastAction })
  return decision.kind === 'move' ? decision.to : decision.kind
}

/** The state machine as a table: rows are states, columns are actions. */
const table: Record<RecommendationStatus, Record<RecommendationAction, string>> = {
  pending: {
    approve: 'approved',
    reject: 'rejected',
    apply: 'implemented',
    reopen: 'conflict',
    snooze: 'pending',
    withdraw: 'conflict',
  },
  approved: {
    approve: 'repeat',
    reject: 'rejected',
    apply: 'implemented',
    reopen: 'conflict',
    snooze: 'conflict',
    withdraw: 'pending',
  },
  rejected: {
    approve: 'conflict',
    reject: 'repeat',
    apply: 'conflict',
    reopen: 'pending',
    snooze: 'conflict',
    withdraw: 'conflict',
  },
  implemented: {
    approve: 'conflict',
    reject: 'conflict',
    apply: 'repeat',
    reopen: 'conflict',
    snooze: 'conflict',
    withdraw: 'conflict',
  },
  superseded: {
    approve: 'conflict',
    reject: 'conflict',
    apply: 'conflict',
    reopen: 'conflict',
    snooze: 'conflict',
    withdraw: 'conflict',
  },
  resolved: {
    approve: 'conflict',
    reject: 'conflict',
    apply: 'conflict',
    reopen: 'conflict',
    snooze: 'conflict',
    withdraw: 'conflict',
  },
  expired: {
    approve: 'conflict',
    reject: 'conflict',
    apply: 'conflict',
    reopen: 'conflict',
    snooze: 'conflict',
    withdraw: 'conflict',
  },
}

test.each([...recommendationStatuses])(
  'every action on a %s recommendation leads to the state in the table',
  (status) => {
    const found = Object.keys(table[status]).map((action) => [
      action,
      outcome(action as RecommendationAction, status, null),
    ])
    expect(Object.fromEntries(found)).toEqual(table[status])
  },
)

test.each([...recommendationStatuses])(
  'the actions offered on a %s recommendation are those that change its state',
  (status) => {
    const moving = Object.entries(table[status]).filter(([, to]) => to !== 'conflict' && to !== 'repeat')
    expect(actionsFrom({ status })).toEqual(moving.map(([action]) => action))
  },
)

test('reopening twice is a repetition, reopening a recommendation that was never rejected is a conflict', () => {
  expect(outcome('reopen', 'pending', 'reopen')).toBe('repeat')
  expect(outcome('reopen', 'pending', 'snooze')).toBe('conflict')
})

test('withdrawing twice is a repetition, and a recommendation that was never approved has nothing to withdraw', () => {
  expect(outcome('withdraw', 'pending', 'withdraw')).toBe('repeat')
  expect(outcome('withdraw', 'pending', 'reopen')).toBe('conflict')
})

test('a mark as implemented can be withdrawn until the cluster shows the change', () => {
  const implemented = { status: 'implemented', lastAction: 'apply' } as const
  expect(decideMove('withdraw', { ...implemented, isUnobserved: true })).toEqual({ kind: 'move', to: 'approved' })
  expect(decideMove('withdraw', implemented)).toEqual({ kind: 'conflict' })
  expect(actionsFrom({ status: 'implemented', isUnobserved: true })).toEqual(['withdraw'])
})
