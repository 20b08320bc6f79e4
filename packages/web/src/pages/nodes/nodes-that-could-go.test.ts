import { expect, test } from 'vitest'
import { waitsForSomebody } from './nodes-that-could-go.tsx'

test.each([
  { usd: 0, total: 30, words: '' },
  { usd: 10, total: 30, words: ', $10 of it once somebody removes them from their node groups' },
  { usd: 30, total: 30, words: ', once somebody removes them from their node groups' },
])('$usd of $total a month in pools that nobody scales is said to wait for somebody', ({ usd, total, words }) => {
  expect(waitsForSomebody(usd, total)).toBe(words)
})
