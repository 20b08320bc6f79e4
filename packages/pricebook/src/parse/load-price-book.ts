import { readFileSync } from 'node:fs'
import { parsePriceBook } from './parse-price-book.ts'
import type { PriceBook } from '../price-book.ts'

/** The price book of this release. A bundle that moves the code must copy this file or pass its bytes. */
export const embeddedPriceBookUrl = new URL('../../book/pricebook.json.br', import.meta.url)

/** Reads the embedded book, or the book at `path`. Takes some tens of milliseconds, so load it once. */
export function loadPriceBook(path: string | URL = embeddedPriceBookUrl): PriceBook {
  return parsePriceBook(readFileSync(path))
}
