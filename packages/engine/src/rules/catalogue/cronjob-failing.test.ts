import { expect, test } from 'vitest'
import { aCronJob, evaluateRule, someFacts } from '../builders.ts'
import { cronjobFailing } from './cronjob-failing.ts'
import type { CronJobFacts } from '../facts/object-facts.ts'

const evaluate = (over: Partial<CronJobFacts> = {}) =>
  evaluateRule(cronjobFailing, someFacts({ cronJobs: [aCronJob(over)] }))

test('five failures in a row are reported with the cost of the runs', () => {
  expect(evaluate().findings).toMatchObject([
    {
      target: { kind: 'CronJob', name: 'export' },
      estimatedUsdPerMonth: 12,
      evidence: { facts: { days_since_success: 3 } },
    },
  ])
})

test('a suspended CronJob, or one with fewer failures, is omitted', () => {
  expect(evaluate({ isSuspended: true }).findings).toEqual([])
  expect(evaluate({ failuresInARow: 4 }).findings).toEqual([])
})

test('without a cost it is still reported, and an annotated one is withheld', () => {
  expect(evaluate({ usdPerMonth: null }).findings).toMatchObject([{ estimatedUsdPerMonth: 0 }])
  expect(evaluate({ annotations: { 'plimsoll.dev/ignore': 'true' } }).reasons).toEqual(['ignored'])
})
