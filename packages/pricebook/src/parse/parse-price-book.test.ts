import fc from 'fast-check'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { aBook, embeddedBytes, embeddedText } from '../../test/a-book.ts'
import type { BookBody, NodeBody } from './book-format.ts'
import { compressBook } from '../compile/pack-book.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'
import { inflatedBytesMax, parsePriceBook, PriceBookError } from './parse-price-book.ts'
import { lawRuns } from '../../../../test/rounds.ts'

function problemsOf(bytes: Uint8Array, after?: ReturnType<typeof loadPriceBook>): string {
  try {
    parsePriceBook(bytes, { after })
  } catch (error) {
    if (error instanceof PriceBookError) return error.problems.join('; ')
    throw error
  }
  return ''
}

function firstBlock({ nodes: [block] }: BookBody): NodeBody {
  if (!block) throw new Error('there is a first block')
  return block
}

test('the embedded book is valid after repacking', () => {
  expect(problemsOf(aBook())).toBe('')
  expect(parsePriceBook(aBook()).version).toBe(loadPriceBook().version)
})

test('a book may decompress to about three times the size of the released book', () => {
  const times = inflatedBytesMax / Buffer.byteLength(embeddedText())
  expect([times > 2.5, times < 4]).toEqual([true, true])
  const larger = brotliCompressSync(Buffer.alloc(inflatedBytesMax + 1))
  expect(problemsOf(larger)).toMatch(/too large/)
  // An earlier version may have stored it, so it is parsed up to its header.
  expect(() => parsePriceBook(larger, { isStored: true })).toThrow(/header/)
})

test.each([
  {
    name: 'a negative price',
    change: (body: BookBody) => firstBlock(body).onDemand.unshift(-1),
    expected: /onDemand is not/,
  },
  { name: 'a fraction', change: (body: BookBody) => (firstBlock(body).onDemand[0] = 0.5), expected: /onDemand is not/ },
  {
    name: 'a monthly price taken for an hourly one',
    change: (body: BookBody) => (firstBlock(body).onDemand[3] = 2_000_000_001),
    expected: /nodes of aws: onDemand is not .* whole numbers from 0 to 2000000000/,
  },
  { name: 'one price too few', change: (body: BookBody) => firstBlock(body).spot.pop(), expected: /spot is not/ },
  {
    name: 'spot at hundreds of times on-demand',
    change: (body: BookBody) => {
      const { spot } = firstBlock(body)
      spot[spot.findIndex((units) => units > 0)] = 2_000_000_000
    },
    expected: /has an implausible spot price/,
  },
  {
    name: 'text instead of a price',
    change: (body: BookBody) => ((firstBlock(body).onDemand as unknown[])[0] = '1'),
    expected: /onDemand is not/,
  },
  {
    name: 'a price without a source',
    change: (body: BookBody) => (firstBlock(body).evidence = [0, 1 - firstBlock(body).regions.length * 1387]),
    expected: /has a price without a source/,
  },
  {
    name: 'an unknown source',
    change: (body: BookBody) => (body.evidence = [['', '']]),
    expected: /evidence is not/,
  },
  {
    name: 'two types of one name',
    change: (body: BookBody) => (firstBlock(body).types[1] = firstBlock(body).types[0]?.toUpperCase() ?? ''),
    expected: /not distinct names/,
  },
  {
    name: 'a negative storage price',
    change: (body: BookBody) => ((body.tables.storage.nanoUsdPerGibMonth as number[])[0] = -1),
    expected: /storage.nanoUsdPerGibMonth has -1 in row 0/,
  },
  {
    name: 'an implausible storage price',
    change: (body: BookBody) => ((body.tables.storage.nanoUsdPerGibMonth as number[])[0] = 11e9),
    expected: /storage.nanoUsdPerGibMonth has 11000000000 in row 0/,
  },
  {
    name: 'a ratio above 1',
    change: (body: BookBody) => ((body.tables.spotRatios.median as number[])[2] = 31.8),
    expected: /spotRatios.median has 31.8 in row 2/,
  },
  {
    name: 'a column that is shorter than the others',
    change: (body: BookBody) => (body.tables.eniLimits.maxPods as number[]).pop(),
    expected: /table eniLimits has columns of different length/,
  },
  {
    name: 'a missing table',
    change: (body: BookBody) => delete (body.tables as Partial<BookBody['tables']>).network,
    expected: /table network is missing/,
  },
  {
    name: 'no node prices',
    change: (body: BookBody) => delete (body as Partial<BookBody>).nodes,
    expected: /nodes is not a list/,
  },
])('a book with $name', ({ change, expected }) => {
  expect(problemsOf(aBook(change))).toMatch(expected)
})

test('all problems are reported at once', () => {
  const twice = aBook(({ tables }) => {
    ;(tables.storage.nanoUsdPerGibMonth as number[])[0] = -1
    ;(tables.network.natNanoUsdPerHour as number[])[0] = 1e12
  })
  expect(problemsOf(twice)).toMatch(/storage.*network/)
})

test('a book with another schema, format, hash or version is rejected', () => {
  const changed = (from: RegExp, to: string) => problemsOf(compressBook(embeddedText().replace(from, to), 1))
  expect(changed(/"schemaVersion":1/, '"schemaVersion":2')).toBe('the schema version is 2; this release reads 1')
  expect(changed(/"format":"plimsoll-pricebook"/, '"format":"x"')).toMatch(/the format is 'x'/)
  expect(changed(/m5\.large/, 'm5.larve')).toBe('the content does not match its hash')
  expect(changed(/"version":"2026/, '"version":"2027')).toBe('the version does not match the content')
})

test('a book older than the current one is rejected, an equal or newer one is not', () => {
  const current = loadPriceBook()
  expect(problemsOf(aBook(undefined, { asOf: '2026-08-21' }), current)).toMatch(
    /older than the price list in use \(2026-08-22\)/,
  )
  expect(problemsOf(aBook(), current)).toBe('')
  expect(problemsOf(aBook(undefined, { asOf: '2026-09-01' }), current)).toBe('')
})

test.each([
  ['nothing', new Uint8Array()],
  ['half a price list', embeddedBytes.subarray(0, embeddedBytes.length / 2)],
  ['no brotli', Buffer.from('hello')],
  ['no header', brotliCompressSync('hello')],
  ['an empty header', brotliCompressSync('{}\n{}')],
  ['null', brotliCompressSync('null\nnull')],
  ['a bomb', brotliCompressSync(Buffer.alloc(65 * 1024 * 1024), { params: { 1: 0 } })],
])('%s is not a book', (_, bytes) => {
  expect(() => parsePriceBook(bytes)).toThrow(PriceBookError)
})

test('a flipped bit is detected, unless it only changes the compression', () => {
  const { version } = loadPriceBook()
  fc.assert(
    fc.property(fc.nat(embeddedBytes.length - 1), fc.nat(7), (at, bit) => {
      const bytes = Buffer.from(embeddedBytes)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      if (problemsOf(bytes) === '') expect(parsePriceBook(bytes).version).toBe(version)
    }),
    lawRuns(25),
  )
})
