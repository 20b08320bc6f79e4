import { expect, test } from 'vitest'
import { paidSpan } from './paid-span.ts'

const now = 1000

test.each([
  { name: 'still runs', life: { boundAt: 100 }, to: now },
  { name: 'succeeded and was deleted later', life: { boundAt: 100, succeededAt: 300, deletedAt: 900 }, to: 300 },
  { name: 'failed', life: { boundAt: 100, failedAt: 400 }, to: 400 },
  { name: 'was deleted while it could not pull its image', life: { boundAt: 100, deletedAt: 500 }, to: 500 },
  { name: 'ended before its bind time was known', life: { boundAt: 100, failedAt: 90 }, to: 100 },
])('a pod that $name', ({ life, to }) => {
  expect(paidSpan(life, now)).toEqual({ kind: 'paid', from: 100, to })
})

test('a pod that was never scheduled pays nothing', () => {
  expect(paidSpan({ deletedAt: 500 }, now)).toEqual({ kind: 'unpaid', reason: 'never-scheduled' })
})
