import type { PlanStep, PlanStepReference } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { billSteps } from './money.ts'
import { restartWords, stepSentence, teamWords, whatLeaves } from './plan-words.ts'

const reference: PlanStepReference = {
  id: 'stp_1',
  number: 3,
  of: 9,
  kind: 'free',
  title: 'Lower 14 requests in shop',
  savings: 624.88,
  others: 13,
  nodes: ['ip-10-26-7-62.eu-west-1.compute.internal'],
}

describe('the sentence of a step', () => {
  test('says its place, its company, the node and the money', () => {
    expect(stepSentence(reference)).toBe('Step 3 of 9, together with 13 others: removes ip-10-26-7-62, −$625/month')
    expect(stepSentence({ ...reference, others: 0, nodes: ['a', 'b', 'c'] })).toBe(
      'Step 3 of 9: removes a, b and 1 more, −$625/month',
    )
  })

  test('has a plus sign for a step that costs, and no money for the rest', () => {
    expect(stepSentence({ ...reference, kind: 'protect', nodes: [], savings: -31, others: 1 })).toBe(
      'Step 3 of 9, together with 1 other: +$31/month',
    )
    expect(stepSentence({ ...reference, kind: 'rest', nodes: [], savings: 0 })).toBe(
      'Step 3 of 9, together with 13 others: removes no node now',
    )
  })
})

test('what leaves the bill is named by host, and a replacement by its type', () => {
  const step = { kind: 'free', savings: 1, capacity_value: 1131 } as PlanStep
  const node = (name: string, by: string | null) => ({ name, pool: 'p', savings: 1, replaced_by: by })
  expect(whatLeaves({ ...step, nodes: [node('ip-1.x', null), node('ip-2.x', 'm6a.large')] })).toBe(
    'Removes ip-1. Replaces ip-2 by m6a.large',
  )
  expect(whatLeaves({ ...step, kind: 'rest', nodes: [] })).toBe(
    'Removes no node now. Frees capacity worth $1,131/month',
  )
})

test('effort is in words', () => {
  const effort = { workloads: 2, teams: [], pods_restarted: 55, stateful_sets_restarted: 1 }
  expect(restartWords(effort)).toBe('restarts 55 pods, including 1 StatefulSet')
  expect(restartWords({ ...effort, pods_restarted: 0 })).toBe('restarts no pods')
  expect(teamWords(['shop', 'pay'])).toBe('teams shop, pay')
  expect(teamWords(['a', 'b', 'c', 'd'])).toBe('4 teams')
})

test('the bill after each step is the shown bill before it and the shown change', () => {
  const { now, changes, after, total } = billSteps(18_233.4, [-30.6, 2978.3, 0])
  expect([now, changes, after, total]).toEqual([
    '$18,233',
    ['+$31', '−$2,978', '$0'],
    ['$18,264', '$15,286', '$15,286'],
    '−$2,947',
  ])
  expect(billSteps(null, [5]).after).toEqual([null])
})
