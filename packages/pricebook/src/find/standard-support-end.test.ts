import { expect, test } from 'vitest'
import { longestSupported, standardSupportEnd } from './standard-support-end.ts'

test.each([
  { provider: 'eks', version: '1.34', ends: '2026-12-02T00:00:00.000Z' },
  { provider: 'Amazon Web Services', version: '1.33', ends: '2026-07-29T00:00:00.000Z' },
])('support of $version at $provider ends on $ends', ({ provider, version, ends }) => {
  expect(new Date((standardSupportEnd(provider, version) ?? 0) * 1000).toISOString()).toBe(ends)
})

test('other providers and versions are unknown', () => {
  expect(standardSupportEnd('gke', '1.31')).toBeUndefined()
  expect(standardSupportEnd('aws', '1.99')).toBeUndefined()
  expect(standardSupportEnd('aws', '')).toBeUndefined()
})

test('the recommended version is the one with the longest support, if known', () => {
  const second = (day: string) => Date.parse(`${day}T00:00:00Z`) / 1000
  expect(longestSupported('aws', second('2026-11-16'))).toEqual({ version: '1.35', endsAt: second('2027-03-27') })
  expect(longestSupported('aws', second('2027-03-27'))).toBeUndefined()
  expect(longestSupported('gcp', second('2026-11-16'))).toBeUndefined()
})
