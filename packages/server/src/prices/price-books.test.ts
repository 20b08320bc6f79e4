import { readFileSync } from 'node:fs'
import { parsePriceBook } from '@plimsoll/pricebook'
import { expect, test } from 'vitest'
import { aPriceBook } from '../../test/a-price-book.ts'
import { testDatabase } from '../../test/test-database.ts'
import { listPriceBooks } from './queries/price-books.ts'
import { priceBookFile } from '../directories.ts'
import { openPriceBooks } from './price-books.ts'

const fileOf = (bytes: Buffer) => ({ book: parsePriceBook(bytes), bytes })

const release = fileOf(readFileSync(priceBookFile))
const later = fileOf(aPriceBook())
const start = new Date('2026-10-01T12:34:56Z')

test('the first price list applies to all time, that of a later release from the hour of its start', async () => {
  const { db } = await testDatabase()
  await openPriceBooks(db, release, start)
  await openPriceBooks(db, release, start)
  await openPriceBooks(db, later, new Date('2026-11-01T12:34:56Z'))
  const books = await listPriceBooks(db)
  expect(books).toMatchObject([
    { version: release.book.version, effectiveFrom: new Date(0), origin: 'release', sizeBytes: release.bytes.length },
    { version: later.book.version, effectiveFrom: new Date('2026-11-01T12:00:00Z') },
  ])
})

test('an older release that is started again continues with the newer price list', async () => {
  const { db } = await testDatabase()
  await openPriceBooks(db, later, start)
  const prices = await openPriceBooks(db, release, start)
  expect((await prices.current(db)).version).toBe(later.book.version)
  expect(await listPriceBooks(db)).toHaveLength(1)
})

test('replicas that start concurrently agree on one price list', async () => {
  const { db } = await testDatabase()
  await Promise.all([1, 2, 3].map(() => openPriceBooks(db, release, start)))
  expect(await listPriceBooks(db)).toHaveLength(1)
})

test('a price list from another replica is read from the database on demand', async () => {
  const { db } = await testDatabase()
  const one = await openPriceBooks(db, release, start)
  await openPriceBooks(db, later, start)
  const book = await one.load(db, later.book.version)
  expect([book.version, (await one.current(db)).version]).toEqual([later.book.version, later.book.version])
  await expect(one.load(db, 'made up')).rejects.toThrow('price list made up does not exist')
})
