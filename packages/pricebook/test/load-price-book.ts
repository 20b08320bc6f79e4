import { readFileSync } from 'node:fs'
import { embeddedPriceBookUrl } from '../src/parse/embedded-price-book.ts'
import { parsePriceBook } from '../src/parse/parse-price-book.ts'
import type { PriceBook } from '../src/price-book.ts'

/** Reads the embedded book, or the book at `path`. Takes some tens of milliseconds, so load it once. */
export function loadPriceBook(path: string | URL = embeddedPriceBookUrl): PriceBook {
  return parsePriceBook(readFileSync(path))
}
