import type { RecommendationWithEvidence } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { calculatedOn, currentStep } from './current-step.ts'

type Status = RecommendationWithEvidence['status']

const recommendation = (status: Status) =>
  ({
    status,
    plan_step: { id: 'stp_1', number: 8 },
    evidence: { written_at: '2026-11-14T00:01:00Z' },
  }) as RecommendationWithEvidence

describe.each(['pending', 'approved'] as const)('a recommendation that is %s', (status) => {
  test('shows its step and a current calculation', () => {
    expect(currentStep(recommendation(status))).toMatchObject({ number: 8 })
    expect(calculatedOn(recommendation(status))).toBeUndefined()
  })
})

describe.each(['implemented', 'resolved', 'rejected', 'superseded'] as const)(
  'a recommendation that is %s',
  (status) => {
    test('shows no step, and its calculation has a date', () => {
      expect(currentStep(recommendation(status))).toBeNull()
      expect(calculatedOn(recommendation(status))).toBe('as of 14 Nov 2026')
    })
  },
)
