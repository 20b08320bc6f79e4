import { expect, test } from 'vitest'
import { count, grouped } from './count.ts'
import { showUsd } from './rules/object-finding.ts'

test('large numbers have thousands separators, in sentences as in tables', () => {
  expect([grouped(18_724), count(2302, 'minute'), count(1, 'minute')]).toEqual(['18,724', '2,302 minutes', '1 minute'])
  expect([showUsd(1235.16), showUsd(-0.5)]).toEqual(['$1,235.16', '−$0.50'])
})

test('a fraction keeps its digits', () => {
  expect(count(13.4, 'pod')).toBe('13.4 pods')
})
