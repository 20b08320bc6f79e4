import { expect, test } from 'vitest'
import { NOW, steadyHours } from '../../test/made-usage.ts'
import { findOrdinalOutlier, replicaFactor, unevenness } from './replica-factor.ts'

test('the busiest pod at 1.44 times the mean raises the request by 1.2', () => {
  expect(replicaFactor(unevenness(steadyHours(168, 1.44), NOW))).toBeCloseTo(1.2, 6)
})

test('less than a day is too little for the replica factor', () => {
  expect(unevenness(steadyHours(23, 1.9), NOW)).toBe(1)
})

test('a rollout of several hours does not make pods unequal', () => {
  const hours = steadyHours(168, 1.1)
  hours.hottestMean.fill(500, 0, 60)
  expect(unevenness(hours, NOW)).toBeCloseTo(1.1, 5)
})

test('data older than 7 days does not count', () => {
  const hours = steadyHours(336, 1.1)
  hours.hottestMean.fill(900, 0, 168)
  expect(unevenness(hours, NOW)).toBeCloseTo(1.1, 5)
})

test.each([
  { means: [100, 100, 100], outlier: undefined },
  { means: [250, 100, 100], outlier: 0 },
  { means: [100, 120, 90, 300], outlier: 3 },
  { means: [100], outlier: undefined },
  { means: [0, 0, 0], outlier: undefined },
])('$means: the ordinal with a different load is $outlier', ({ means, outlier }) => {
  expect(findOrdinalOutlier(means)).toBe(outlier)
})
