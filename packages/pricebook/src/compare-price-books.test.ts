import { expect, test } from 'vitest'
import { aBook } from '../test/a-book.ts'
import type { NodeBody } from './parse/book-format.ts'
import { comparePriceBooks } from './compare-price-books.ts'
import { loadPriceBook } from '../test/load-price-book.ts'
import { parsePriceBook } from './parse/parse-price-book.ts'
import { packRuns, unpackRuns } from './parse/runs.ts'

const book = loadPriceBook()

test('a book compared with itself has no changes', () => {
  const { added, removed, same, changed } = comparePriceBooks(book, book)
  expect({ added, removed, same, changed }).toEqual({ added: 0, removed: 0, same: 102_042, changed: [] })
})

test('the added, removed and changed prices of a newer book', () => {
  const newer = parsePriceBook(
    aBook(({ nodes }) => {
      setPrice(nodes, 'us-east-1', 'm5.large', 100_000)
      setPrice(nodes, 'us-east-1', 'm5.xlarge', 384_000)
      setPrice(nodes, 'us-east-1', 'c5.large', 0)
    }),
  )
  expect(comparePriceBooks(book, newer)).toMatchObject({
    added: 0,
    removed: 1,
    changed: [
      { instanceType: 'm5.xlarge', beforeNanoUsdPerHour: 192_000_000, afterNanoUsdPerHour: 384_000_000 },
      { instanceType: 'm5.large', beforeNanoUsdPerHour: 96_000_000, afterNanoUsdPerHour: 100_000_000 },
    ],
  })
  expect(comparePriceBooks(newer, book)).toMatchObject({ added: 1, removed: 0 })
})

function setPrice(nodes: NodeBody[], region: string, type: string, microUsd: number) {
  const [aws] = nodes
  if (!aws) throw new Error('the first block is AWS')
  const at = aws.regions.indexOf(region) * aws.types.length + aws.types.indexOf(type)
  for (const field of ['onDemand', 'spot'] as const) {
    const prices = new Float64Array(aws.regions.length * aws.types.length)
    unpackRuns(aws[field], Number.MAX_SAFE_INTEGER, prices)
    prices[at] = field === 'onDemand' ? microUsd : 0
    aws[field] = packRuns([...prices])
  }
}
