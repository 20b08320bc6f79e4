import { expect, test } from 'vitest'
import { waitsForSomebody } from './removable-nodes.tsx'

test.each([
  { usd: 0, total: 30, words: '' },
  { usd: 10, total: 30, words: '; $10/month of this only if you remove the nodes manually' },
  { usd: 30, total: 30, words: '; requires manual removal' },
])('$usd of $total a month in pools without an autoscaler needs manual removal', ({ usd, total, words }) => {
  expect(waitsForSomebody(usd, total)).toBe(words)
})
