import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import type { BookBody } from '../src/parse/book-format.ts'
import { bookText, compressBook } from '../src/compile/pack-book.ts'
import { type CsvRow, readCsv } from '../src/compile/read-csv.ts'
import { embeddedPriceBookUrl } from '../src/parse/embedded-price-book.ts'

export const tablesDir = fileURLToPath(new URL('../tables', import.meta.url))

export const embeddedBytes = readFileSync(embeddedPriceBookUrl)

export function embeddedText(): string {
  return brotliDecompressSync(embeddedBytes).toString('utf8')
}

export function listCsv(file: string): CsvRow[] {
  return readCsv(readFileSync(`${tablesDir}/${file}`, 'utf8'))
}

/** The embedded book with a change and a matching header, so that only the change can be invalid. */
export function aBook(change: (body: BookBody) => void = () => undefined, { asOf = '2026-08-22' } = {}): Buffer {
  const text = embeddedText()
  const body = JSON.parse(text.slice(text.indexOf('\n') + 1)) as BookBody
  change(body)
  return compressBook(bookText(JSON.stringify(body), asOf), 1)
}
