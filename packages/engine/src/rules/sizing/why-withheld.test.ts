import { expect, test } from 'vitest'
import { whyWithheld } from './why-withheld.ts'

const target = { kind: 'Deployment', namespace: 'shop', name: 'web', container: 'app' }

test.each([
  [2.04, 'Usage data covers only 2.0 days; 7 days are required.'],
  [0.125, 'Usage data covers only 3 hours; 7 days are required.'],
  [0.05, 'Usage data covers only 1 hour; 7 days are required.'],
  [0.01, 'Usage data covers only 0 hours; 7 days are required.'],
])('a history of %s days is described in words', (days, detail) => {
  expect(whyWithheld(target, { kind: 'unknown', reason: 'short_history', days, daysMin: 7 })).toMatchObject({ detail })
})
