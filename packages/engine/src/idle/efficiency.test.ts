import { expect, test } from 'vitest'
import { ONE } from '../decimal.ts'
import { efficiency } from './efficiency.ts'

test('nothing requested is no efficiency, and not infinitely much', () => {
  const rate = { kind: 'priced', usdPerUnitSecond: ONE, estimated: false } as const
  expect(efficiency([{ requestUnitSeconds: 0n, usageUnitSeconds: 5n, rate }])).toEqual({
    kind: 'unknown',
    reason: 'nothing-requested',
  })
})
