import { readFileSync } from 'node:fs'
import { parsePriceBook } from './parse-price-book.ts'
import type { PriceBook } from '../price-book.ts'

/** The book that comes with this release. A bundle that moves the code has to copy this file along or pass its bytes. */
export const embeddedPriceBookUrl = new URL('../../book/pricebook.json.br', import.meta.url)

/** Reads the embedded book, or the one at `path`. Takes some tens of milliseconds; load once and keep it. */
export function loadPriceBook(path: string | URL = embeddedPriceBookUrl): PriceBook {
  return parsePriceBook(readFileSync(path))
}
