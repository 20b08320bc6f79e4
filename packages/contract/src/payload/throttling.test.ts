import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addThrottling } from './throttling.ts'

const periods = fc.record({ periods: fc.nat(), throttledPeriods: fc.nat() }, { noNullPrototype: true })

test.each([null, undefined])('the first reading, after %s, is the sum', (before) => {
  expect(addThrottling(before, { periods: 10, throttledPeriods: 3 })).toEqual({ periods: 10, throttledPeriods: 3 })
})

test('the order of readings does not matter', () => {
  fc.assert(
    fc.property(periods, periods, periods, (one, two, three) => {
      const sum = addThrottling(addThrottling(one, two), three)
      expect(addThrottling(one, addThrottling(two, three))).toEqual(sum)
      expect(addThrottling(three, addThrottling(two, one))).toEqual(sum)
    }),
  )
})

test('the share of throttled periods lies between the shares of the readings', () => {
  const reading = fc
    .tuple(fc.integer({ min: 1, max: 1000 }), fc.nat(1000))
    .map(([of, throttled]) => ({ periods: of, throttledPeriods: Math.min(of, throttled) }))
  const share = (each: { periods: number; throttledPeriods: number }) => each.throttledPeriods / each.periods
  fc.assert(
    fc.property(reading, reading, (one, other) => {
      const whole = share(addThrottling(one, other))
      expect(whole).toBeGreaterThanOrEqual(Math.min(share(one), share(other)))
      expect(whole).toBeLessThanOrEqual(Math.max(share(one), share(other)))
    }),
  )
})
