import { expect, test } from 'vitest'
import { whyWithheld } from './why-withheld.ts'

const target = { kind: 'Deployment', namespace: 'shop', name: 'web', container: 'app' }

test.each([
  [2.04, '2.0 days of usage are known, 7 days are required.'],
  [0.125, '3 hours of usage are known, 7 days are required.'],
  [0.01, '0 hours of usage are known, 7 days are required.'],
])('a history of %s days is described in words', (days, detail) => {
  expect(whyWithheld(target, { kind: 'unknown', reason: 'short_history', days, daysMin: 7 })).toMatchObject({ detail })
})
