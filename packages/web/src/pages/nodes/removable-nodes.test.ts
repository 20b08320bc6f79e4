import { expect, test } from 'vitest'
import { waitsForSomebody } from './removable-nodes.tsx'

test.each([
  { usd: 0, total: 30, words: '' },
  { usd: 10, total: 30, words: '; $10/month require manual removal from the node group' },
  { usd: 30, total: 30, words: '; requires manual removal from the node group' },
])('$usd of $total a month in pools without an autoscaler needs manual removal', ({ usd, total, words }) => {
  expect(waitsForSomebody(usd, total)).toBe(words)
})
