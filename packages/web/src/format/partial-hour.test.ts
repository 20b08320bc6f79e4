import { expect, test } from 'vitest'
import { partialHour } from './partial-hour.ts'

test('an answer about the current hour says up to when its figures reach', () => {
  const text = partialHour({ partial: true, as_of: '2026-11-17T12:34:00Z' })
  expect(text).toMatch(
    /^No hour is complete yet\. The figures cover the current hour up to .*34.* and grow until it ends\.$/,
  )
})

test.each([{}, { partial: false, as_of: '2026-11-17T12:00:00Z' }])('%o is of complete hours', (answer) => {
  expect(partialHour(answer)).toBeNull()
})
