import { expect, test } from 'vitest'
import { aCronJob, sayOf, someFacts } from '../builders.ts'
import { cronjobFailing } from './cronjob-failing.ts'
import type { CronJobFacts } from '../facts/object-facts.ts'

const say = (over: Partial<CronJobFacts> = {}) => sayOf(cronjobFailing, someFacts({ cronJobs: [aCronJob(over)] }))

test('five failures in a row are worth what the runs cost', () => {
  expect(say().findings).toMatchObject([
    {
      target: { kind: 'CronJob', name: 'export' },
      estimatedUsdPerMonth: 12,
      evidence: { facts: { days_since_success: 3 } },
    },
  ])
})

test('one that is suspended, or failed fewer times, is left out', () => {
  expect(say({ isSuspended: true }).findings).toEqual([])
  expect(say({ failuresInARow: 4 }).findings).toEqual([])
})

test('without a cost it is told all the same, and a marked one is withheld', () => {
  expect(say({ usdPerMonth: null }).findings).toMatchObject([{ estimatedUsdPerMonth: 0 }])
  expect(say({ annotations: { 'plimsoll.dev/ignore': 'true' } }).reasons).toEqual(['ignored'])
})
